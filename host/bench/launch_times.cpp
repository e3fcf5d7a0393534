#include "bench/launch_times.hpp"

#include <numeric>

#include "base/clock.hpp"

namespace sluice::bench {

LaunchTimes::LaunchTimes(const registry::Device& device, void* stream, std::size_t steps)
    : device_(device), stream_(stream), current_(2 * steps, 0.0), kept_(2 * steps) {}

void LaunchTimes::pass_begins() {
    device_.wait(stream_);
    last_ = now();
}

// A launch that runs twice in a step, because backward needs its output anew, has the time of both.
void LaunchTimes::launch_ended(std::size_t step, bool is_backward) {
    device_.wait(stream_);
    const double time = now();
    current_[2 * step + (is_backward ? 1 : 0)] += time - last_;
    last_ = time;
}

double LaunchTimes::end_step() {
    const double sum = std::accumulate(current_.begin(), current_.end(), 0.0);
    for (std::size_t i = 0; i < current_.size(); ++i) {
        kept_[i].push_back(current_[i]);
        current_[i] = 0.0;
    }
    return sum;
}

const std::vector<double>& LaunchTimes::of(std::size_t step, bool is_backward) const {
    return kept_[2 * step + (is_backward ? 1 : 0)];
}

}  // namespace sluice::bench
