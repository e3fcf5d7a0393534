// A folder of its own for each test, with a pipeline that trains in a fraction of a second.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "host_process.hpp"

namespace sluice::test {

using Replacements = std::vector<std::pair<std::string, std::string>>;

// For write_tiny(): each step is an event in events.jsonl.
inline const std::pair<std::string, std::string> kEveryStep{
    "[checkpoint]\n", "[observe]\nuse = [{ use = \"metrics\", every_steps = 1 }]\n\n[checkpoint]\n"};

std::string read_bytes(const std::filesystem::path& file);
// The header of a checkpoint's metadata, and its tensors by name.
std::map<std::string, std::string> metadata_of(const std::filesystem::path& checkpoint);
std::map<std::string, std::vector<float>> tensors_of(const std::filesystem::path& checkpoint);
std::size_t count_of(std::string_view text, std::string_view part);

class PipelineTest : public testing::Test {
protected:
    PipelineTest();
    ~PipelineTest() override;

    [[nodiscard]] const std::filesystem::path& folder() const { return surroundings_.folder; }
    [[nodiscard]] Surroundings& surroundings() { return surroundings_; }
    // Both write into the folder and make the folders above.
    std::filesystem::path write(const std::string& name, std::string_view bytes) const;
    // tiny.toml: 4 steps of 4 samples an epoch, 2 epochs, validation on 4 samples. Each text must be there once.
    // It trains on the device that SLUICE_TEST_DEVICE names, with plugins of the folder SLUICE_TEST_DEVICE_PLUGINS.
    void write_tiny(const Replacements& replacements = {}) const;

    [[nodiscard]] Finished host(const std::vector<std::string>& arguments) const;
    // Trains tiny.toml into the folder `run` and expects success.
    Finished train(const std::string& run = "run", const std::vector<std::string>& more = {}) const;
    [[nodiscard]] std::filesystem::path checkpoint(const std::string& run = "run",
                                                   const std::string& name = "last") const;
    // The scalars of each step event of a run; NaN where JSON has no number.
    [[nodiscard]] std::vector<std::map<std::string, double>> steps(const std::string& run) const;
    // Writes tiny.toml with these changes, trains it, and expects the end that expect_refused() describes.
    Finished train_refused(const Replacements& replacements, int exit, const std::vector<std::string>& parts) const;

private:
    Surroundings surroundings_;
};

void expect_success(const Finished& finished);
// Expects that exit code and exactly one error line, with each of `parts` in it.
void expect_refused(const Finished& finished, int exit, const std::vector<std::string>& parts);

}  // namespace sluice::test
