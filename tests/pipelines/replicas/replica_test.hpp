// Fixture for tests of several replicas, in one process or in many.
#pragma once

#include <regex>
#include <string>
#include <vector>

#include "pipeline_test.hpp"

namespace sluice::test {

// These are percentages of a step, which a run logs for replicas on a CPU.
struct WaitShares {
    int data;
    int others;
    int exchange;

    [[nodiscard]] int sum() const { return data + others + exchange; }
};

class ReplicaTest : public PipelineTest {
protected:
    // Returns `--set VALUE` for each value.
    static std::vector<std::string> sets(const std::vector<std::string>& values) {
        std::vector<std::string> words;
        for (const std::string& value : values) {
            words.insert(words.end(), {"--set", value});
        }
        return words;
    }

    static std::vector<std::string> mirrored(int replicas, const std::vector<std::string>& more = {}) {
        return sets(joined({"strategy.use=mirrored", "strategy.replicas=" + std::to_string(replicas)}, more));
    }

    void expect_same_bits(const std::string& run, const std::string& other) {
        EXPECT_TRUE(tensor_bytes_of(checkpoint(run)) == tensor_bytes_of(checkpoint(other))) << run << ", " << other;
    }

    static WaitShares wait_shares(const std::string& log) {
        static const std::regex shares_line(R"(wait for data [\d.]+ \((\d+) %\), for each other [\d.]+ \((\d+) %\), )"
                                            R"(for the exchange after backward [\d.]+ \((\d+) %\))");
        std::smatch found;
        EXPECT_TRUE(std::regex_search(log, found, shares_line)) << log;
        return found.empty() ? WaitShares{} : WaitShares{std::stoi(found[1]), std::stoi(found[2]), std::stoi(found[3])};
    }

    // Compares the losses of all steps, the gradient norms if there are any, and the results of each evaluation.
    void expect_near(const std::string& run, const std::string& other, double tolerance) {
        for (const char* const kind : {"step", "evaluation"}) {
            const auto found = events(run, kind);
            const auto right = events(other, kind);
            ASSERT_EQ(found.size(), right.size());
            ASSERT_FALSE(found.empty());
            for (std::size_t i = 0; i < found.size(); ++i) {
                for (const char* const name : {"loss", "samples", "gradient_norm", "validation_loss", "psnr"}) {
                    if (right[i].contains(name)) {
                        EXPECT_NEAR(found[i].at(name), right[i].at(name), tolerance * (1.0 + right[i].at(name)))
                            << run << ": " << name << " of " << kind << " " << i + 1;
                    }
                }
            }
        }
    }
};

// Clipping makes a run report gradient norms. The losses do not show a wrong factor of the gradients, because Adam
// hides it.
inline const std::vector<std::string> kClipped = {"optimizer.clip_norm=0.1", "optimizer.rate=1e-4"};

// Batch norm sees another share of a batch on each replica, and dropout draws for each share by itself.
inline const Replacements kWholeBatch{{"  { type = \"batch_norm\" },\n", ""},
                                      {"  { type = \"dropout\", rate = 0.1 },\n", ""}};

// The batch norm of all replicas together sees the whole batch.
inline Replacements synchronized(const Replacements& more = {}) {
    Replacements all{{"{ type = \"batch_norm\" }", "{ type = \"batch_norm\", synchronized = true, momentum = 0.5 }"},
                     {"  { type = \"dropout\", rate = 0.1 },\n", ""},
                     kEveryStep};
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

inline Replacements whole_batch(const Replacements& more = {}) {
    Replacements all = kWholeBatch;
    all.push_back(kEveryStep);
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

// The pipeline has 16 steps and gradients of 1.3 MB. A bucket size of 1 MiB splits them, and 4 MiB does not.
inline Replacements two_buckets() {
    const std::string layer = "  { type = \"conv2d\", filters = 192, kernel = 3, padding = \"reflect\" },\n";
    return whole_batch({{"  { type = \"conv2d\", filters = 6, kernel = 3, padding = \"reflect\" },\n", layer + layer},
                        {"size = [32, 32]", "size = [8, 8]"},
                        {"epochs = 2", "epochs = 4"}});
}

}  // namespace sluice::test
