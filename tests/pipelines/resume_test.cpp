// A run that was killed anywhere and resumed ends with the bytes of one that was never killed.
#include <chrono>
#include <csignal>
#include <random>
#include <thread>

#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

class Resume : public PipelineTest {
protected:
    Resume() {
        // Some seconds: 40 epochs of 7 steps, so that checkpoints lie within epochs; made with an odd last batch.
        write_tiny({{"count = 16, size = [32, 32]", "count = 26, size = [64, 64]"},
                    {"epochs = 2", "epochs = 40"},
                    {"every = \"1 epoch\"", "every = \"3 steps\""}});
        train("whole");
    }

    // Trains into `run`, killing it `kills` times, each at a random moment after a new checkpoint.
    void train_and_kill(const std::string& run, int kills, unsigned seed) {
        std::mt19937 random(seed);
        std::vector<std::string> arguments{"train", "tiny.toml", "--run-folder", run};
        int done = 0;
        for (; done < kills; ++done) {
            HostProcess process(arguments, surroundings());
            ASSERT_TRUE(process.wait_for_file(checkpoint(run)));
            std::this_thread::sleep_for(std::chrono::microseconds(random() % 300'000));
            process.send(SIGKILL);
            if (process.finish().signal != SIGKILL) {
                break;  // it was done before
            }
            arguments = {"resume", run};
        }
        EXPECT_GE(done, 1) << "the run ended before it could be killed";
        expect_success(host({"resume", run}));
    }

    void expect_same_end(const std::string& run) {
        EXPECT_TRUE(read_bytes(checkpoint(run)) == read_bytes(checkpoint("whole"))) << "last.safetensors differs";
        EXPECT_TRUE(read_bytes(checkpoint(run, "best")) == read_bytes(checkpoint("whole", "best")))
            << "best.safetensors differs";
        expect_each_epoch_once(run);
    }

    void expect_each_epoch_once(const std::string& run) {
        const std::string table = read_bytes(folder() / run / "metrics.csv");
        EXPECT_EQ(count_of(table, "\n"), 41U) << table;
        for (int epoch = 1; epoch <= 40; ++epoch) {
            EXPECT_EQ(count_of(table, "\n" + std::to_string(epoch) + ","), 1U) << table;
        }
    }
};

TEST_F(Resume, after_kills_ends_with_the_same_bytes) {
    train_and_kill("killed", 3, 1);
    expect_same_end("killed");
}

TEST_F(Resume, of_a_finished_run_changes_nothing) {
    const std::string saved = read_bytes(checkpoint("whole"));
    expect_success(host({"resume", "whole"}));
    EXPECT_EQ(read_bytes(checkpoint("whole")), saved);
    expect_each_epoch_once("whole");
}

TEST_F(Resume, needs_a_run_with_a_checkpoint) {
    expect_refused(host({"resume"}), 2, {"host resume"});
    expect_refused(host({"resume", "nowhere"}), 2, {"nowhere", "no such"});
    std::filesystem::create_directories(folder() / "bare/checkpoints");
    expect_refused(host({"resume", "bare"}), 2, {"bare", "no checkpoint"});
}

using SlowResume = Resume;

TEST_F(SlowResume, after_many_kills_ends_with_the_same_bytes) {
    for (unsigned seed = 100; seed < 110; ++seed) {
        const std::string run = "killed_" + std::to_string(seed);
        train_and_kill(run, 6, seed);
        expect_same_end(run);
    }
}

}  // namespace
}  // namespace sluice::test
