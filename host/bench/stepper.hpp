// Steps of one replica on a batch that is there, with and without a clock at each launch.
#pragma once

#include <memory>
#include <vector>

#include "bench/launch_times.hpp"
#include "data/loader/loader.hpp"
#include "run/replica/replica.hpp"

namespace sluice::bench {

class Stepper {
public:
    // The replica and the batch outlive it. rate: of learning.
    Stepper(run::Replica& replica, std::shared_ptr<const registry::Device> device, const data::Batch& batch,
            double rate);

    [[nodiscard]] const registry::Device& device() const { return *device_; }
    // Whether steps follow each other without a wait, as in training.
    [[nodiscard]] bool is_pipelined() const { return device_->streams() != nullptr; }

    // Some steps as training makes them: seconds of each.
    std::vector<double> plain(std::size_t count) { return is_pipelined() ? pipelined(count) : one_by_one(count); }
    // One step, which waits at its end.
    void timed();

    [[nodiscard]] const LaunchTimes& times() const { return times_; }

    // Seconds of each timed step: the whole by the host's clock, the optimizer as LaunchTimes measures, and what is
    // left.
    std::vector<double> whole, updates, rest;

private:
    void compute();
    std::vector<double> one_by_one(std::size_t count);
    // The time between the ends of steps, as the device passes them.
    std::vector<double> pipelined(std::size_t count);

    run::Replica& replica_;
    std::shared_ptr<const registry::Device> device_;
    const data::Batch& batch_;
    double rate_;
    LaunchTimes times_;
    std::uint64_t step_ = 0;
};

}  // namespace sluice::bench
