// A long run leaves a small folder: long series of its observers are decimated.
#include <chrono>
#include <fstream>

#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

constexpr std::uintmax_t kMostBytes = 60'000'000;

using SlowRunSize = PipelineTest;

// Returns the size of all files in the run's folder, without its checkpoints.
std::uintmax_t bytes_beside_checkpoints(const std::filesystem::path& run) {
    std::uintmax_t bytes = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(run)) {
        const std::string inside = entry.path().lexically_relative(run).begin()->string();
        bytes += entry.is_regular_file() && inside != "checkpoints" ? entry.file_size() : 0;
    }
    return bytes;
}

// The default observers are named, because the list replaces them.
TEST_F(SlowRunSize, of_100000_steps_is_small) {
    process_options().deadline = std::chrono::minutes(20);
    std::filesystem::copy_file(SLUICE_TEST_TINY_NETWORK, folder() / "tiny.toml");
    train("run", {"--set", "data.train.source.count=1000", "--set", "train.epochs=100", "--set",
                  R"(observe.use=["progress", "metrics", "images", "tensorboard"])"});
    EXPECT_EQ(metadata_of(checkpoint()).at("step"), "100000");
    const std::uintmax_t bytes = bytes_beside_checkpoints(folder() / "run");
    EXPECT_GT(std::filesystem::file_size(folder() / "run/events.jsonl"), 0U);
    EXPECT_LT(bytes, kMostBytes);
    RecordProperty("megabytes", std::to_string(bytes / 1'000'000));
}

}  // namespace
}  // namespace sluice::test
