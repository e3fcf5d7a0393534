#include "run/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sluice::run {

Schedule::Schedule(const config::ScheduleSpec& spec, double rate, std::uint64_t total_steps,
                   std::uint64_t steps_per_epoch)
    : spec_(spec),
      rate_(rate),
      total_(std::max<std::uint64_t>(total_steps, 1)),
      per_epoch_(std::max<std::uint64_t>(steps_per_epoch, 1)),
      warmup_(static_cast<std::uint64_t>(std::llround(spec.warmup * static_cast<double>(total_steps)))) {}

double Schedule::rate(std::uint64_t step) const {
    if (step < warmup_) {
        return rate_ * static_cast<double>(step + 1) / static_cast<double>(warmup_);
    }
    return rate_ * factor(step);
}

double Schedule::factor(std::uint64_t step) const {
    const double length = static_cast<double>(std::max<std::uint64_t>(total_ - std::min(warmup_, total_), 1));
    const double done = std::min(1.0, static_cast<double>(step - warmup_) / length);
    if (spec_.use == "cosine") {
        return spec_.final_share + (1.0 - spec_.final_share) * 0.5 * (1.0 + std::cos(std::numbers::pi * done));
    }
    if (spec_.use == "linear") {
        return 1.0 + (spec_.final_share - 1.0) * done;
    }
    if (spec_.use == "step" && spec_.step_epochs > 0) {
        const std::uint64_t drops = step / per_epoch_ / static_cast<std::uint64_t>(spec_.step_epochs);
        return std::pow(spec_.step_factor, static_cast<double>(drops));
    }
    return 1.0;
}

}  // namespace sluice::run
