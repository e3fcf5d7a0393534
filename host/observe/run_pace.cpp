#include "observe/run_pace.hpp"

#include <algorithm>

#include "base/clock.hpp"
#include "observe/cpu_time.hpp"

namespace sluice::observe {

void RunPace::begin(std::int64_t step) {
    step_ = step;
    first_step_ = step;
    cpu_at_begin_ = process_cpu_seconds();
    began_ = now();
    is_running_ = true;
}

void RunPace::add_step(std::int64_t step, double seconds) {
    if (!is_warm_up(step) && seconds > 0.0) {
        timed_seconds_.store(timed_seconds_.load(std::memory_order_relaxed) + seconds, std::memory_order_relaxed);
        timed_steps_.store(timed_steps_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }
}

void RunPace::end() {
    if (is_running_.exchange(false)) {
        cpu_at_end_ = process_cpu_seconds();
        ended_ = now();
    }
}

double RunPace::seconds() const {
    const double began = began_;
    if (began == 0.0) {
        return 0.0;
    }
    const double ended = ended_;
    return (ended > 0.0 ? ended : now()) - began;
}

RunPace::Figures RunPace::figures() const {
    if (began_ == 0.0) {
        return {};
    }
    Figures figures{.steps = steps(),
                    .seconds = seconds(),
                    .cpu_seconds = (ended_ > 0.0 ? cpu_at_end_.load() : process_cpu_seconds()) - cpu_at_begin_};
    const std::int64_t timed = timed_steps_;
    figures.step_seconds = timed > 0 ? timed_seconds_ / static_cast<double>(timed)
                                     : figures.seconds / static_cast<double>(std::max<std::int64_t>(figures.steps, 1));
    return figures;
}

}  // namespace sluice::observe
