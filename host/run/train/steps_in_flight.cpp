#include "run/train/steps_in_flight.hpp"

namespace sluice::run {

StepInFlight StepsInFlight::take_oldest() {
    const StepInFlight oldest = steps_.front();
    steps_.erase(steps_.begin());
    return oldest;
}

Progress StepsInFlight::position_before(Progress progress) const {
    for (const StepInFlight& step : steps_) {
        --progress.step;
        progress.batch -= step.batch_count;
    }
    return progress;
}

}  // namespace sluice::run
