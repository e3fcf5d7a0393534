#include "bench/stepper.hpp"

#include <algorithm>

#include "base/clock.hpp"

namespace sluice::bench {

Stepper::Stepper(run::Replica& replica, std::shared_ptr<const registry::Device> device, const data::Batch& batch,
                 double rate)
    : replica_(replica),
      device_(std::move(device)),
      batch_(batch),
      rate_(rate),
      times_(device_, replica.runner().stream(), replica.network().plan().steps.size()) {}

void Stepper::compute() {
    ++step_;
    replica_.training().compute_gradients(batch_, {.step = step_, .rates = run::constant_rate(rate_)});
}

void Stepper::timed() {
    replica_.network().set_launch_callback(&times_);
    const double start = now();
    compute();
    replica_.runner().wait();
    times_.update_begins();
    replica_.training().update();
    times_.update_ended();
    replica_.training().finish_step();
    replica_.runner().wait();
    const double end = now();
    replica_.network().set_launch_callback(nullptr);
    const double launches = times_.end_step();
    whole.push_back(std::max(end - start - times_.held(), 0.0));
    updates.push_back(times_.update());
    rest.push_back(std::max(whole.back() - updates.back() - launches, 0.0));
}

std::vector<double> Stepper::one_by_one(std::size_t count) {
    std::vector<double> seconds;
    for (std::size_t i = 0; i < count; ++i) {
        const double start = now();
        compute();
        replica_.training().update();
        replica_.training().finish_step();
        replica_.runner().wait();
        seconds.push_back(now() - start);
    }
    return seconds;
}

std::vector<double> Stepper::pipelined(std::size_t count) {
    std::vector<registry::Event> ends;
    std::size_t pending = 0;
    ends.emplace_back(device_).record(replica_.runner().stream());
    for (std::size_t i = 0; i < count; ++i) {
        compute();
        replica_.training().update();
        ends.emplace_back(device_).record(replica_.runner().stream());
        for (++pending; pending > replica_.training().steps_ahead(); --pending) {
            replica_.training().finish_step();
        }
    }
    for (; pending > 0; --pending) {
        replica_.training().finish_step();
    }
    ends.back().wait();
    std::vector<double> seconds;
    for (std::size_t i = 0; i < count; ++i) {
        seconds.push_back(ends[i].seconds_to(ends[i + 1]));
    }
    return seconds;
}

}  // namespace sluice::bench
