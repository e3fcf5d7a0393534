// The measurement of `host diagnose precision`: the same steps from the same state on the same data, in float32 and
// under a precision policy. It saves no weights.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/spread.hpp"
#include "config/spec.hpp"
#include "diagnose/precision/magnitudes.hpp"
#include "registry/loading/registry.hpp"

namespace sluice::diagnose {

struct TrialStep {
    double loss = 0.0;
    double gradient_norm = 0.0;  // of the unscaled gradient, before clipping
    bool skipped = false;
};

struct TrialLayer {
    std::string path;
    std::string stored;  // element type of its outputs under the policy
    // All three cover the first and the last step.
    TensorNumbers outputs;
    TensorNumbers gradients;   // gradients of the outputs
    TensorNumbers parameters;  // gradients of the parameters; float32 in both runs
};

// Speed in the timed steps: all except the first two, the last, and those that the policy skipped.
struct TrialSpeed {
    std::size_t steps = 0;
    bench::Spread float32_seconds;
    bench::Spread policy_seconds;
    double ratio = 0.0;  // time of float32 over time of the policy; median of the steps
    double share = 0.0;  // time of the policy over that of float32: at most this in three of four steps

    // Returns nullopt if there are too few steps.
    [[nodiscard]] std::optional<bool> is_faster() const;
};

// The arguments are the seconds of each step in float32 and under the policy.
TrialSpeed speed_of(std::span<const double> float32, std::span<const double> policy);

struct PrecisionTrial {
    std::string pipeline;
    std::string device;
    std::string policy;
    std::vector<TrialStep> float32;  // one for each step
    std::vector<TrialStep> mixed;    // under the policy; fewer if it diverged
    std::string diverged;            // why the policy diverged; empty: it did not
    double loss_scale = 0.0;         // at the end; 0: the loss is not scaled
    std::vector<TrialLayer> layers;  // in forward order
    TrialSpeed speed;

    // The largest difference between the two losses of a step, as a share of the float32 loss, and that step, from 1.
    struct Difference {
        double share = 0.0;
        std::size_t step = 0;
    };
    [[nodiscard]] Difference largest_difference() const;
};

struct TrialRequest {
    std::size_t steps = 20;                            // at least 4
    std::function<void(const std::string&)> progress;  // receives a text about the current work
};

// `spec` names the policy. Throws Error(Exit::config) if it is float32 or one that chooses by measuring, such as auto.
PrecisionTrial try_precision(const config::PipelineSpec& spec, const registry::Registry& registry,
                             const TrialRequest& request);

std::string to_text(const PrecisionTrial& trial);
std::string to_json(const PrecisionTrial& trial);

}  // namespace sluice::diagnose
