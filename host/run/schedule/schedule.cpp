#include "run/schedule/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sluice::run {
namespace {

// Smaller changes of the rate are ignored, as with PyTorch's `eps`.
constexpr double kLeastChange = 1e-8;

// Returns the schedule's length in steps, at least 1.
std::uint64_t length_of(const std::optional<config::Interval>& length, std::uint64_t training_steps,
                        std::uint64_t steps_per_epoch, const EpochStart& start) {
    std::int64_t steps = static_cast<std::int64_t>(training_steps);
    if (length && length->epochs) {
        const std::int64_t epochs = length->count - static_cast<std::int64_t>(start.epoch);
        steps = start.update + epochs * static_cast<std::int64_t>(steps_per_epoch);
    } else if (length) {
        steps = length->count;
    }
    return static_cast<std::uint64_t>(std::max<std::int64_t>(steps, 1));
}

std::int64_t samples_of_step(const config::PipelineSpec& spec) { return spec.data.batch * spec.train.accumulate; }

}  // namespace

double scaled_rate(const config::PipelineSpec& spec) {
    if (spec.scale_rate == config::RateScale::none) {
        return spec.rate;
    }
    const double ratio = static_cast<double>(samples_of_step(spec)) / static_cast<double>(spec.scale_from);
    return spec.rate * (spec.scale_rate == config::RateScale::linear ? ratio : std::sqrt(ratio));
}

std::string scaled_rate_text(const config::PipelineSpec& spec) {
    if (spec.scale_rate == config::RateScale::none) {
        return {};
    }
    const bool is_linear = spec.scale_rate == config::RateScale::linear;
    return fmt::format("{:.4g}: {:.4g} x {}{} / {}{} (samples a step, optimizer.scale_rate = \"{}\")",
                       scaled_rate(spec), spec.rate, is_linear ? "" : "sqrt(", samples_of_step(spec), spec.scale_from,
                       is_linear ? "" : ")", is_linear ? "linear" : "square_root");
}

void Plateau::observe(const config::ScheduleSpec& spec, double rate, double value, bool higher_is_better) {
    const double margin = higher_is_better ? 1.0 + spec.threshold : 1.0 - spec.threshold;
    if (!std::isnan(value) && (!best || (higher_is_better ? value > *best * margin : value < *best * margin))) {
        best = value;
        waited = 0;
    } else {
        ++waited;
    }
    if (waited > static_cast<std::uint64_t>(spec.patience)) {
        waited = 0;
        const double lower = std::max(rate * scale * spec.factor, spec.min_rate);
        if (rate * scale - lower > kLeastChange) {
            scale = lower / rate;
        }
    }
}

Rates constant_rate(double rate) {
    Rates rates;
    rates.values.fill(rate);
    return rates;
}

Schedule::Schedule(const config::ScheduleSpec& spec, double rate, std::uint64_t training_steps,
                   std::uint64_t steps_per_epoch, const EpochStart& start)
    : spec_(spec),
      rate_(rate),
      start_(start),
      per_epoch_(std::max<std::uint64_t>(steps_per_epoch, 1)),
      length_(length_of(spec.length, training_steps, per_epoch_, start)),
      warmup_(static_cast<std::uint64_t>(std::llround(spec.warmup * static_cast<double>(length_)))) {}

double Schedule::rate(std::uint64_t step, const Plateau& plateau) const {
    const double whole = rate_ * plateau.scale;
    if (step < warmup_) {
        return whole * static_cast<double>(step + 1) / static_cast<double>(warmup_);
    }
    return whole * factor(step);
}

Rates Schedule::rates(std::uint64_t first_update, const Plateau& plateau) const {
    Rates rates{.first_update = first_update};
    for (std::size_t i = 0; i < rates.values.size(); ++i) {
        rates.values[i] = rate(first_update - 1 + i, plateau);
    }
    return rates;
}

double Schedule::factor(std::uint64_t step) const {
    const double length = static_cast<double>(std::max<std::uint64_t>(length_ - std::min(warmup_, length_), 1));
    const double done = std::min(1.0, static_cast<double>(step - warmup_) / length);
    switch (spec_.use) {
        case config::ScheduleKind::cosine:
            return spec_.final_share + (1.0 - spec_.final_share) * 0.5 * (1.0 + std::cos(std::numbers::pi * done));
        case config::ScheduleKind::linear:
            return 1.0 + (spec_.final_share - 1.0) * done;
        case config::ScheduleKind::step: {
            const std::uint64_t drops =
                epoch_of(std::min(step, length_ - 1)) / static_cast<std::uint64_t>(spec_.step_epochs);
            return std::pow(spec_.factor, static_cast<double>(drops));
        }
        case config::ScheduleKind::constant:
        case config::ScheduleKind::plateau:
            break;
    }
    return 1.0;
}

std::uint64_t Schedule::epoch_of(std::uint64_t step) const {
    const std::int64_t since = static_cast<std::int64_t>(step) - start_.update;
    return start_.epoch + static_cast<std::uint64_t>(std::max<std::int64_t>(since, 0)) / per_epoch_;
}

}  // namespace sluice::run
