// The samples of each epoch are the same bytes for any workers, prefetch and cache, as their SHA-256 in the events
// shows.
#include <tuple>

#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

constexpr int kEpochs = 6;

const std::string kInMemory = R"({ use = "cache" },)";
const std::string kInLittleMemory = R"({ use = "cache", budget = "60 KiB" },)";
const std::string kOnDisk = R"({ use = "cache", in = "disk", folder = "kept" },)";

class EpochHashes : public PipelineTest {
protected:
    // The cache comes right after the source, because the source's samples are the same in each epoch.
    void write_with(const std::string& cache) const {
        write_tiny({{"count = 16, size = [32, 32]", "count = 26, size = [64, 64]"},
                    {"epochs = 2", "epochs = " + std::to_string(kEpochs)},
                    {"every = \"1 epoch\"", "every = \"2 steps\""},
                    {R"(size = [64, 64] }
map = [)",
                     "size = [64, 64] }\nmap = [" + cache}});
    }

    // Kills the run `kills` times, each at a random moment after a new checkpoint. Starts another run if one has
    // finished.
    void kill_often(const std::string& cache, int kills, unsigned seed) {
        write_with(cache);
        const auto expected = epoch_hashes("whole");
        std::mt19937 random(seed);
        for (int done = 0, number = 0; done < kills; ++number) {
            const std::string run = "run_" + std::to_string(seed) + "_" + std::to_string(number);
            done += train_and_kill(run, kills - done, random, 50'000);
            expect_success(host({"resume", run}));
            ASSERT_EQ(epoch_hashes(run), expected) << run << ", " << cache;
            std::filesystem::remove_all(folder() / run);
        }
    }

    void train_whole() {
        write_with("");
        train("whole");
        const auto found = epoch_hashes("whole");
        ASSERT_EQ(found.size(), static_cast<std::size_t>(kEpochs));
        EXPECT_NE(found[0].second, found[1].second);  // random_flip draws anew in each epoch
    }
};

TEST_F(EpochHashes, are_the_same_for_any_workers_prefetch_and_cache) {
    train_whole();
    int number = 0;
    for (const auto& [cache, workers, prefetch] : {std::tuple{std::string(), "0", "1"},
                                                   {std::string(), "2", "9"},
                                                   {std::string(), "auto", "auto"},
                                                   {kInMemory, "7", "1"},
                                                   {kInLittleMemory, "2", "3"},
                                                   {kOnDisk, "7", "3"},
                                                   {kOnDisk, "0", "1"}}) {
        write_with(cache);
        const std::string run = "run" + std::to_string(++number);
        train(run,
              {"--set", std::string("data.workers=") + workers, "--set", std::string("data.prefetch=") + prefetch});
        EXPECT_EQ(epoch_hashes(run), epoch_hashes("whole"))
            << cache << workers << " workers, " << prefetch << " prefetched";
    }
}

TEST_F(EpochHashes, are_the_same_after_kills) {
    train_whole();
    kill_often("", 1, 1);
    kill_often(kInMemory, 1, 2);
    kill_often(kOnDisk, 3, 3);
}

using SlowEpochHashes = EpochHashes;

TEST_F(SlowEpochHashes, are_the_same_after_a_hundred_kills) {
    train_whole();
    kill_often("", 20, 10);
    kill_often(kInMemory, 20, 11);
    kill_often(kOnDisk, 60, 12);
}

}  // namespace
}  // namespace sluice::test
