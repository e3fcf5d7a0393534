// The arithmetic of sluice_step's begin() and decide() (kind/step.h), for one thread of any device.
#pragma once

#include <cstdint>
#include <limits>

#include "sluice/kind/step.h"

namespace sluice::sdk {

constexpr void begin_step(const sluice_step_rule& rule, const sluice_step_start& start,
                          const sluice_step_report& report, sluice_step_scalars& scalars) {
    constexpr std::uint64_t kRates = sizeof(start.rates) / sizeof(start.rates[0]);
    const std::uint64_t place = report.updates + 1 - start.first_update;
    scalars.rate = start.rates[place < kRates ? place : kRates - 1];
    scalars.gradient_scale = 0.0;
    scalars.loss_seed = start.loss_seed * (rule.scales_loss != 0 ? report.loss_scale : 1.0);
    scalars.step = report.updates + 1;
    scalars.random_counter = start.random_counter;
    scalars.skip = 0;
}

// Updates the counters and the loss scale that a report passes to the next step, by its ending.
constexpr void count_step(const sluice_step_rule& rule, sluice_step_report& report) {
    if (report.ending == SLUICE_STEP_DONE) {
        ++report.updates;
        ++report.good_steps;
        report.skips_in_row = 0;
        if (rule.growth_interval > 0 && report.good_steps >= rule.growth_interval) {
            const double grown = report.loss_scale * rule.growth;
            report.good_steps = 0;
            report.loss_scale = grown < rule.ceiling ? grown : rule.ceiling;
        }
    } else if (report.ending == SLUICE_STEP_SKIPPED) {
        ++report.skips_in_row;
        report.good_steps = 0;
        if (rule.growth_interval > 0) {
            const double fallen = report.loss_scale * rule.backoff;
            report.loss_scale = fallen > rule.floor ? fallen : rule.floor;
        }
    }
}

// `root` is the square root of report.square_sum.
constexpr void decide_step(const sluice_step_rule& rule, double root, sluice_step_scalars& scalars,
                           sluice_step_report& report) {
    constexpr double kClipEpsilon = 1e-6;  // torch.nn.utils.clip_grad_norm_ divides by the norm and this
    constexpr double kLargest = std::numeric_limits<double>::max();
    const double weight = report.loss_weight;
    const double unscaled = weight > 0.0 ? 1.0 / (weight * scalars.loss_seed) : 0.0;
    report.norm = rule.has_norm != 0 ? unscaled * root : 0.0;
    report.rate = scalars.rate;
    const bool stops = rule.most_skips > 0 && report.skips_in_row >= rule.most_skips;
    const bool is_finite = report.loss_sum >= -kLargest && report.loss_sum <= kLargest && report.norm <= kLargest;
    if (stops || (!is_finite && rule.scales_loss == 0)) {
        report.ending = SLUICE_STEP_STOPPED;
    } else if (report.ending != SLUICE_STEP_STOPPED) {
        report.ending = is_finite ? SLUICE_STEP_DONE : SLUICE_STEP_SKIPPED;
    }
    const double share = rule.clip_norm > 0.0 ? rule.clip_norm / (report.norm + kClipEpsilon) : 1.0;
    scalars.gradient_scale = unscaled * (share < 1.0 ? share : 1.0);
    scalars.skip = report.ending == SLUICE_STEP_DONE && weight > 0.0 ? 0 : 1;
    count_step(rule, report);
}

// The share of the new values in the moving average of step number `step`, from 1. The average follows the first steps
// faster than `decay` allows, as in torch-ema and TensorFlow's ExponentialMovingAverage with num_updates.
constexpr float average_share(double decay, std::uint64_t step) {
    const double early = (1.0 + static_cast<double>(step)) / (10.0 + static_cast<double>(step));
    return static_cast<float>(1.0 - (early < decay ? early : decay));
}

}  // namespace sluice::sdk
