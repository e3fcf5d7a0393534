#include "run/network/step_rollback.hpp"

#include <utility>

namespace sluice::run {

StepRollback::StepRollback(std::shared_ptr<const registry::Device> device, void* stream, const Weights& weights,
                           bool is_wanted)
    : device_(std::move(device)), stream_(stream) {
    if (is_wanted) {
        backup_.emplace(device_, stream_, weights);
    }
}

void StepRollback::abandon() {
    if (std::exchange(is_unfinished_, false)) {
        backup_->put_back();
        device_->wait(stream_);
    }
}

void StepRollback::take() const {
    if (backup_) {
        backup_->take();
    }
}

void StepRollback::put_back_unless_done(const StepState& state) const {
    if (backup_) {
        backup_->put_back_unless_done(state);
    }
}

}  // namespace sluice::run
