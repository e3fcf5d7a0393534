// The learning rate of each step: constant, cosine, linear, step or plateau, each after a linear warm-up.
// The schedule is as long as its own setting says, or as the whole training. `--steps` does not shorten it, so that a
// short trial follows the same curve. After its end the rate stays constant.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "config/spec.hpp"

namespace sluice::run {

// Returns the rate that the schedule starts from: optimizer.rate, scaled by optimizer.scale_rate for the samples of a
// step. These are data.batch x train.accumulate, for any number of replicas.
double scaled_rate(const config::PipelineSpec& spec);
// Returns "0.8: 0.1 x 256 / 32 (samples a step, optimizer.scale_rate = "linear")"; empty if the rate is not scaled.
std::string scaled_rate_text(const config::PipelineSpec& spec);

// State of a plateau schedule, as in torch.optim.lr_scheduler.ReduceLROnPlateau with threshold_mode "rel" and no
// cooldown. Other schedules never change it.
struct Plateau {
    std::optional<double> best;  // of the monitored value
    std::uint64_t waited = 0;    // evaluations since the last improvement
    double scale = 1.0;          // factor on the rate so far

    // Adds the value of one evaluation. `rate` is the rate before any factor.
    void observe(const config::ScheduleSpec& spec, double rate, double value, bool higher_is_better);
};

// The learning rates of the next updates. Skipped steps make no update, so a step's update number is only known when
// the steps before it are finished.
struct Rates {
    std::uint64_t first_update = 1;  // number of the first update, from 1
    std::array<double, 4> values{};  // later updates use the last one
};
Rates constant_rate(double rate);

// The point from which epochs are counted: a run that resumes with another batch size had epochs of another length.
// `update` is the update with which the epoch began. It may be negative if steps were skipped.
struct EpochStart {
    std::uint64_t epoch = 0;
    std::int64_t update = 0;
};

class Schedule {
public:
    Schedule(const config::ScheduleSpec& spec, double rate, std::uint64_t training_steps, std::uint64_t steps_per_epoch,
             const EpochStart& start = {});
    // Returns the rate of step number `step`, from 0.
    [[nodiscard]] double rate(std::uint64_t step, const Plateau& plateau = {}) const;
    // Returns the rates from update number `first_update` on; updates are counted from 1.
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
