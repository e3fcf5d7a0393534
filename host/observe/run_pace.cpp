#include "observe/run_pace.hpp"

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

void RunPace::end() {
    if (is_running_.exchange(false)) {
        cpu_at_end_ = process_cpu_seconds();
        ended_ = now();
    }
}

RunPace::Figures RunPace::figures() const {
    const double began = began_;
    if (began == 0.0) {
        return {};
    }
    const double ended = ended_;
    return {.steps = steps(),
            .seconds = (ended > 0.0 ? ended : now()) - began,
            .cpu_seconds = (ended > 0.0 ? cpu_at_end_.load() : process_cpu_seconds()) - cpu_at_begin_};
}

}  // namespace sluice::observe
