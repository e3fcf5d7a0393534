// The learning rate of each step: the closed list constant, cosine, linear, step, plateau, each after a linear warm-up.
// Its length is its own, or that of the whole training; never that of `--steps`, so that a short look follows the same
// curve. A run that is longer stays at the rate of the end.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "config/spec.hpp"

namespace sluice::run {

// The rate that the schedule scales: optimizer.rate, or what optimizer.scale_rate makes of it for the samples of a
// step. These are data.batch x train.accumulate, however many replicas share them.
double scaled_rate(const config::PipelineSpec& spec);
// "0.8: 0.1 x 256 / 32 (samples a step, optimizer.scale_rate = "linear")"; empty where it is as it was written.
std::string scaled_rate_text(const config::PipelineSpec& spec);

// What a plateau schedule remembers, as in torch.optim.lr_scheduler.ReduceLROnPlateau with threshold_mode "rel" and no
// cooldown. In other schedules it stays as it is here.
struct Plateau {
    std::optional<double> best;  // of the monitored value
    std::uint64_t waited = 0;    // evaluations since without a gain
    double scale = 1.0;          // of the rate, so far

    // Takes the value of one evaluation. `rate` is that before any scaling.
    void observe(const config::ScheduleSpec& spec, double rate, double value, bool higher_is_better);
};

// The learning rates of an update and of those behind it: which of them a step makes is known when those before it are
// finished, for steps that were skipped make none.
struct Rates {
    std::uint64_t first_update = 1;  // from 1
    std::array<double, 4> values{};  // later ones are as the last
};
Rates constant_rate(double rate);

// Where epochs are counted from: a run that goes on with other batches has had epochs of another length. The update
// with which the epoch begins may lie before the first, where some were skipped.
struct EpochStart {
    std::uint64_t epoch = 0;
    std::int64_t update = 0;
};

class Schedule {
public:
    Schedule(const config::ScheduleSpec& spec, double rate, std::uint64_t training_steps, std::uint64_t steps_per_epoch,
             const EpochStart& start = {});
    // Of step number `step`, from 0.
    [[nodiscard]] double rate(std::uint64_t step, const Plateau& plateau = {}) const;
    // From update number `first_update` on, from 1.
    [[nodiscard]] Rates rates(std::uint64_t first_update, const Plateau& plateau) const;

private:
    [[nodiscard]] double factor(std::uint64_t step) const;
    [[nodiscard]] std::uint64_t epoch_of(std::uint64_t step) const;

    config::ScheduleSpec spec_;
    double rate_;
    EpochStart start_;
    std::uint64_t per_epoch_;
    std::uint64_t length_;  // in steps
    std::uint64_t warmup_;
};

}  // namespace sluice::run
