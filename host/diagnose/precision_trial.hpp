// What `host diagnose precision` finds out: the same steps from the same state on the same data in float32 and under a
// precision policy, side by side. Nothing is kept of them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/spread.hpp"
#include "config/spec.hpp"
#include "diagnose/magnitudes.hpp"
#include "registry/loading/registry.hpp"

namespace sluice::diagnose {

struct TrialStep {
    double loss = 0.0;
    double gradient_norm = 0.0;  // of the true gradient, before it is clipped
    bool skipped = false;
};

struct TrialLayer {
    std::string path;
    std::string stored;  // type of its outputs under the policy
    // Of the first and the last step.
    TensorNumbers outputs;
    TensorNumbers gradients;   // of the outputs
    TensorNumbers parameters;  // their gradients, float32 in both runs
};

// Of the steps that were timed: not the first two, the last, and those that the policy skipped.
struct TrialSpeed {
    std::size_t steps = 0;
    bench::Spread float32_seconds;
    bench::Spread policy_seconds;
    double ratio = 0.0;  // how many times as fast the policy is; the median over the steps
    double share = 0.0;  // of float32's time, at most, in three steps of four

    // Too few steps say nothing.
    [[nodiscard]] std::optional<bool> is_faster() const;
};

// Seconds of each step in float32 and under the policy.
TrialSpeed speed_of(std::span<const double> float32, std::span<const double> policy);

struct PrecisionTrial {
    std::string pipeline;
    std::string device;
    std::string policy;
    std::vector<TrialStep> float32;  // of each step
    std::vector<TrialStep> mixed;    // under the policy; fewer where it diverged
    std::string diverged;            // why it did; empty: it did not
    double loss_scale = 0.0;         // at the end; 0: the loss is not scaled
    std::vector<TrialLayer> layers;  // in forward order
    TrialSpeed speed;

    // The largest difference of the losses of a step, as a share of the one in float32, and that step, from 1.
    struct Difference {
        double share = 0.0;
        std::size_t step = 0;
    };
    [[nodiscard]] Difference largest_difference() const;
};

struct TrialRequest {
    std::size_t steps = 20;                            // at least 4
    std::function<void(const std::string&)> progress;  // is told what goes on
};

// `spec` names the policy. Throws Error(Exit::config) where that is float32 or one that is still to be chosen.
PrecisionTrial try_precision(const config::PipelineSpec& spec, const registry::Registry& registry,
                             const TrialRequest& request);

std::string to_text(const PrecisionTrial& trial);
std::string to_json(const PrecisionTrial& trial);

}  // namespace sluice::diagnose
