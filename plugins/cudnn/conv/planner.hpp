// Chooses how cuDNN computes a convolution: what was measured before, else the fastest of what its heuristics propose,
// else, where nothing may be measured or the GPU has no memory left for it, the first of that.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conv/pass.hpp"
#include "sluice/sdk/kernel.hpp"

namespace sluice::cudnn {

// How convolutions to very few channels are computed: one pixel at a time, or in blocks (conv/blocks.hpp).
enum class FewFilters { measured, blocks, pixels };

struct PlannerOptions {
    int gpu = 0;
    bool tf32 = false;                   // factors of float32 may be rounded to 11 bits
    std::uint64_t workspace = 1U << 30;  // bytes that a plan may ask for at most
    FewFilters few_filters = FewFilters::measured;
    // Gets lines for the log.
    std::function<void(const std::string&)> tell = [](const std::string&) {};
};

// Ways to compute the problem on the target, likely the fastest first; none where cuDNN has none within the limits.
std::vector<std::unique_ptr<ConvPass>> passes_for(const ConvProblem& problem, const Target& target,
                                                  const EngineLimits& limits, std::uint64_t workspace);

class Planner {
public:
    explicit Planner(PlannerOptions options) : options_(std::move(options)) {}

    [[nodiscard]] const PlannerOptions& options() const { return options_; }
    // Opens cuDNN at the first call.
    [[nodiscard]] const Handle& handle();
    // Throws SLUICE_UNSUPPORTED where cuDNN cannot. timed: a single way is measured, too; what was measured, now or
    // before, has its time.
    [[nodiscard]] std::unique_ptr<ConvPass> plan(const ConvProblem& problem, const sdk::KernelSink& sink,
                                                 bool deterministic, bool timed = false);

private:
    // Throws SLUICE_UNSUPPORTED where none runs; nothing where there is no memory to measure on.
    std::optional<std::size_t> measure(const std::vector<std::unique_ptr<ConvPass>>& passes, bool timed);

    PlannerOptions options_;
    std::optional<Handle> handle_;
};

}  // namespace sluice::cudnn
