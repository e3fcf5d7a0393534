// Chooses how cuDNN computes a convolution:
//   1. the pass that an earlier measurement chose
//   2. else the fastest of those that cuDNN's heuristics propose
//   3. else, if measuring is not allowed or the GPU has no memory left for it, the first proposal
// Unlike sdk::choose_candidate(), the planner rebuilds a remembered pass from its text, without making the candidates
// first.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conv/pass.hpp"
#include "sluice/sdk/kernel.hpp"

namespace sluice::cudnn {

// How convolutions to very few channels are computed: one pixel at a time, or in blocks (conv/blocks.hpp).
enum class FewFilters { measured, blocks, pixels };
// How a convolution of an upsampled image is computed: conv/upsampled.hpp.
enum class UpsampledForm { measured, phases, enlarged };

struct PlannerOptions {
    int gpu = 0;
    bool tf32 = false;                   // float32 factors may be rounded to 11 bits
    std::uint64_t workspace = 1U << 30;  // most bytes that a plan may need
    FewFilters few_filters = FewFilters::measured;
    UpsampledForm upsampled = UpsampledForm::measured;
    // Receives lines for the log.
    std::function<void(const std::string&)> log_line = [](const std::string&) {};
};

// Equal problems under equal conditions share one cuDNN plan, which belongs to the planner's handle. Only one thread at
// a time may use a planner.
class Planner {
public:
    explicit Planner(PlannerOptions options) : options_(std::move(options)) {}

    [[nodiscard]] const PlannerOptions& options() const { return options_; }
    // The first call opens cuDNN.
    [[nodiscard]] const Handle& handle();
    // Throws SLUICE_UNSUPPORTED if cuDNN cannot compute the problem. A pass that was measured, now or earlier, has its
    // time. timed: measures again if the remembered pass has no time.
    [[nodiscard]] std::unique_ptr<ConvPass> plan(const ConvProblem& problem, const sdk::KernelSink& sink,
                                                 bool deterministic, bool timed = false);

private:
    // The key of the tuning cache: everything that the choice depends on.
    [[nodiscard]] std::string key_of(const ConvProblem& problem, const EngineLimits& limits);
    // True if the pass runs and its numbers are right, or if memory to check them is missing. A false result is logged.
    bool is_right(const ConvPass& pass);
    // Returns the first pass that works, without measuring. Throws SLUICE_UNSUPPORTED if there is none.
    std::unique_ptr<ConvPass> first_of(const ConvProblem& problem, const EngineLimits& limits);
    std::unique_ptr<ConvPass> fastest_of(const ConvProblem& problem, const EngineLimits& limits, const std::string& key,
                                         const sdk::KernelSink& sink);
    // Returns the index of the fastest pass; empty: no memory to measure. Throws SLUICE_UNSUPPORTED if none works.
    std::optional<std::size_t> measure(const std::vector<std::unique_ptr<ConvPass>>& passes);

    PlannerOptions options_;
    std::optional<Handle> handle_;
    // Passes by key and by remembered text, which is empty for a pass that was not measured.
    std::map<std::pair<std::string, std::string>, ConvPass> ready_;
};

}  // namespace sluice::cudnn
