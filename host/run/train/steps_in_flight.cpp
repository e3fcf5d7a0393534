#include "run/train/steps_in_flight.hpp"

#include <algorithm>
#include <utility>

namespace sluice::run {

StepInFlight StepsInFlight::take_oldest() {
    const StepInFlight oldest = steps_.front();
    steps_.erase(steps_.begin());
    return oldest;
}

double StepsInFlight::note_end(const StepInFlight& step, double end) {
    return end - std::max(step.began, std::exchange(last_end_, end));
}

Progress StepsInFlight::position_before(Progress progress) const {
    for (const StepInFlight& step : steps_) {
        --progress.step;
        progress.batch -= step.batch_count;
    }
    return progress;
}

}  // namespace sluice::run
