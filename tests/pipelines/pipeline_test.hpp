// Fixture that gives each test a folder of its own, with a pipeline that trains in a fraction of a second.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "host_process.hpp"

namespace sluice::test {

using Replacements = std::vector<std::pair<std::string, std::string>>;

// Changes for write_tiny(): the first adds an event for each step to events.jsonl, the second removes the validation
// data.
inline const std::pair<std::string, std::string> kEveryStep{
    "[checkpoint]\n", "[observe]\nuse = [{ use = \"metrics\", every_steps = 1 }]\n\n[checkpoint]\n"};

inline const std::pair<std::string, std::string> kWithoutValidation{
    R"([data.validation]
source = { use = "dead_leaves", count = 4, size = [24, 32], split = "validation" }
map = [{ use = "motion_blur", from = "sharp", to = "blurred", length = 5, angle = 0 }]
)",
    ""};

// This change for write_tiny() evaluates on whole pictures in the folder "photos".
inline const Replacements kValidationOnPhotos{
    {R"(source = { use = "dead_leaves", count = 4, size = [24, 32], split = "validation" }
map = [{ use = "motion_blur")",
     R"(source = { use = "photos", folder = "photos" }
map = [{ use = "decode" }, { use = "motion_blur")"}};

// Returns the change for write_tiny() that replaces its layers by `layers`.
std::pair<std::string, std::string> with_layers(const std::string& layers);

template <class T>
std::vector<T> joined(std::type_identity_t<std::vector<T>> first, const std::vector<T>& more) {
    first.insert(first.end(), more.begin(), more.end());
    return first;
}

std::string read_bytes(const std::filesystem::path& file);
std::vector<std::string> lines_of(const std::string& text);
// These return the metadata in a checkpoint's header, and its tensors by name.
std::map<std::string, std::string> metadata_of(const std::filesystem::path& checkpoint);
std::map<std::string, std::vector<float>> tensors_of(const std::filesystem::path& checkpoint);
// Returns the bytes of all tensors, which follow the header.
std::string tensor_bytes_of(const std::filesystem::path& checkpoint);
std::size_t count_of(std::string_view text, std::string_view part);

class PipelineTest : public testing::Test {
protected:
    PipelineTest();
    ~PipelineTest() override;

    [[nodiscard]] const std::filesystem::path& folder() const { return process_options_.folder; }
    [[nodiscard]] ProcessOptions& process_options() { return process_options_; }
    // All three write into the folder, and make the folders above the file.
    std::filesystem::path write(const std::string& name, std::string_view bytes) const;
    // Each text to replace must occur exactly once.
    void write_pipeline(const std::string& name, std::string text, const Replacements& replacements) const;
    // Writes tiny.toml: 2 epochs of 4 steps with 4 samples, validation on 4 samples. It trains on the device that
    // SLUICE_TEST_DEVICE names, with plugins of the folder SLUICE_TEST_DEVICE_PLUGINS.
    void write_tiny(const Replacements& replacements = {}) const;

    [[nodiscard]] virtual Finished host(const std::vector<std::string>& arguments) const;
    // Runs the host, expects success and each of `parts` in its standard output, and returns that output.
    std::string expect_output(const std::vector<std::string>& arguments,
                              const std::vector<std::string>& parts = {}) const;
    // Trains tiny.toml into the folder `run` and expects success.
    Finished train(const std::string& run = "run", const std::vector<std::string>& more = {}) const;
    // Trains tiny.toml into `run` and kills it up to `kills` times, each at a random moment of the first `microseconds`
    // after a new checkpoint. Returns the number of kills, which is smaller if the run finishes before.
    [[nodiscard]] int train_and_kill(const std::string& run, int kills, std::mt19937& random,
                                     unsigned microseconds) const;
    [[nodiscard]] std::filesystem::path checkpoint(const std::string& run = "run",
                                                   const std::string& name = "last") const;
    // Returns the scalars of each step event of a run. A scalar is NaN if JSON has no number for it.
    [[nodiscard]] std::vector<std::map<std::string, double>> steps(const std::string& run) const {
        return events(run, "step");
    }
    // Returns the scalars of each event of `kind`.
    [[nodiscard]] std::vector<std::map<std::string, double>> events(const std::string& run,
                                                                    std::string_view kind) const;
    // Returns each epoch in the run's events with the SHA-256 of its samples, sorted and without repetitions.
    [[nodiscard]] std::vector<std::pair<int, std::string>> epoch_hashes(const std::string& run) const;
    // Returns the output of `evaluate --json` for a checkpoint: "samples", "loss" and each metric.
    [[nodiscard]] std::map<std::string, double> scores(const std::filesystem::path& of_checkpoint,
                                                       const std::vector<std::string>& more = {}) const;
    // Writes tiny.toml with these changes, trains it, and expects the refusal that expect_refused() checks.
    Finished train_refused(const Replacements& replacements, int exit, const std::vector<std::string>& parts) const;

private:
    ProcessOptions process_options_;
};

void expect_contains(const std::string& text, const std::vector<std::string>& parts);
void expect_success(const Finished& finished);
// Expects this exit code and exactly one error line, which contains each of `parts`.
void expect_refused(const Finished& finished, int exit, const std::vector<std::string>& parts);

}  // namespace sluice::test
