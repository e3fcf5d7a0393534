// Runs steps of one replica on a given batch, with and without launch timing.
#pragma once

#include <memory>
#include <vector>

#include "bench/launch_times.hpp"
#include "data/loader/batch.hpp"
#include "run/replica/replica.hpp"

namespace sluice::bench {

class Stepper {
public:
    // The replica and the batch must outlive this object. `rate` is the learning rate.
    Stepper(run::Replica& replica, std::shared_ptr<const registry::Device> device, const data::Batch& batch,
            double rate);

    [[nodiscard]] const registry::Device& device() const { return *device_; }
    // True if steps are enqueued without waiting for each other, as in training.
    [[nodiscard]] bool is_pipelined() const { return device_->streams() != nullptr; }

    // Runs `count` steps as training does. Returns the seconds of each.
    std::vector<double> plain(std::size_t count) { return is_pipelined() ? pipelined(count) : one_by_one(count); }
    // Runs one step with launch timing and waits for its end.
    void timed();

    [[nodiscard]] const LaunchTimes& times() const { return times_; }

    // Seconds of each timed step: the whole step by the host's clock, the optimizer by LaunchTimes, and the rest.
    std::vector<double> whole, updates, rest;

private:
    void compute();
    std::vector<double> one_by_one(std::size_t count);
    // Returns the seconds between the ends of steps on the device.
    std::vector<double> pipelined(std::size_t count);

    run::Replica& replica_;
    std::shared_ptr<const registry::Device> device_;
    const data::Batch& batch_;
    double rate_;
    LaunchTimes times_;
    std::uint64_t step_ = 0;
};

}  // namespace sluice::bench
