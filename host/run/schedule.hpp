// The learning rate of each step: the closed list constant, cosine, linear, step, each after a linear warm-up. Its
// length is that of the whole training, not of `--steps`, so that a short look follows the same curve.
#pragma once

#include <cstdint>

#include "config/spec.hpp"

namespace sluice::run {

class Schedule {
public:
    Schedule(const config::ScheduleSpec& spec, double rate, std::uint64_t total_steps, std::uint64_t steps_per_epoch);
    // Of step number `step`, from 0.
    [[nodiscard]] double rate(std::uint64_t step) const;

private:
    [[nodiscard]] double factor(std::uint64_t step) const;

    config::ScheduleSpec spec_;
    double rate_;
    std::uint64_t total_;
    std::uint64_t per_epoch_;
    std::uint64_t warmup_;
};

}  // namespace sluice::run
