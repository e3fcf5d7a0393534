// Chooses how cuDNN computes a convolution: what was measured before, else the fastest of what its heuristics propose,
// else, where nothing may be measured or the GPU has no memory left for it, the first of that.
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
    bool tf32 = false;                   // factors of float32 may be rounded to 11 bits
    std::uint64_t workspace = 1U << 30;  // bytes that a plan may ask for at most
    FewFilters few_filters = FewFilters::measured;
    UpsampledForm upsampled = UpsampledForm::measured;
    // Gets lines for the log.
    std::function<void(const std::string&)> tell = [](const std::string&) {};
};

// Equal problems under equal conditions get the same plan of cuDNN, which belongs to its handle here. One thread at a
// time.
class Planner {
public:
    explicit Planner(PlannerOptions options) : options_(std::move(options)) {}

    [[nodiscard]] const PlannerOptions& options() const { return options_; }
    // Opens cuDNN at the first call.
    [[nodiscard]] const Handle& handle();
    // Throws SLUICE_UNSUPPORTED where cuDNN cannot. What was measured, now or before, has its time. timed: what is
    // remembered without one is measured anew.
    [[nodiscard]] std::unique_ptr<ConvPass> plan(const ConvProblem& problem, const sdk::KernelSink& sink,
                                                 bool deterministic, bool timed = false);

private:
    // What the choice depends on.
    [[nodiscard]] std::string key_of(const ConvProblem& problem, const EngineLimits& limits);
    // Whether it runs and computes what it should. False is logged.
    bool is_right(const ConvPass& pass);
    // Throws SLUICE_UNSUPPORTED where there is none.
    std::unique_ptr<ConvPass> first_of(const ConvProblem& problem, const EngineLimits& limits);
    std::unique_ptr<ConvPass> fastest_of(const ConvProblem& problem, const EngineLimits& limits, const std::string& key,
                                         const sdk::KernelSink& sink);
    // Throws SLUICE_UNSUPPORTED where none runs; nothing where there is no memory to measure on.
    std::optional<std::size_t> measure(const std::vector<std::unique_ptr<ConvPass>>& passes);

    PlannerOptions options_;
    std::optional<Handle> handle_;
    // By key, and how the pass was chosen: as remembered, or not measured.
    std::map<std::pair<std::string, std::string>, ConvPass> ready_;
};

}  // namespace sluice::cudnn
