#include "run/train/step_account.hpp"

#include <cstddef>
#include <utility>

#include "profile/recorder.hpp"

namespace sluice::run {
namespace {

using profile::Stage;
using profile::StageSeconds;

// Divides the seconds for which the host waited for a device in proportion to the device's own. Without such figures
// they belong to no stage.
void divide_device_wait(StageSeconds& seconds, const StageSeconds& on_device) {
    const double waited = std::exchange(seconds[Stage::device], 0.0);
    const double worked = on_device.total();
    if (worked <= 0.0) {
        seconds[Stage::other] += waited;
        return;
    }
    for (std::size_t i = 0; i < profile::kStages; ++i) {
        const auto stage = static_cast<Stage>(i);
        seconds[stage] += waited * on_device[stage] / worked;
    }
}

}  // namespace

void StepAccount::add(Phase phase) {
    StageSeconds seconds = clock_.take();
    StageSeconds only_forward;
    only_forward[Stage::forward] = 1.0;
    divide_device_wait(seconds, only_forward);  // outside of steps, a device computes only forward
    run_.add(phase, seconds);
}

StageSeconds StepAccount::end_step(const StageSeconds& on_device) {
    const double began = clock_.taken_at();
    StageSeconds seconds = clock_.take();
    profile::add({.begin = began, .end = clock_.taken_at(), .kind = SLUICE_SPAN_STEP, .name = "step"});
    divide_device_wait(seconds, on_device);
    run_.add(Phase::steps, seconds);
    return seconds;
}

}  // namespace sluice::run
