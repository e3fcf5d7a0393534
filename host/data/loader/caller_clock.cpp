#include "data/loader/caller_clock.hpp"

#include <utility>

namespace sluice::data {

void CallerClock::hand_out(double waited) {
    const double time = now();
    if (!std::exchange(is_paused_, false)) {
        seconds_ += time - last_;
        waited_ += waited;
    }
    last_ = time;
}

}  // namespace sluice::data
