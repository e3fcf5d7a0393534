#include "run/running_backup.hpp"

#include <utility>

namespace sluice::run {

RunningBackup::RunningBackup(std::shared_ptr<const registry::Device> device, void* stream, const Weights& weights)
    : device_(std::move(device)),
      stream_(stream),
      weights_(weights),
      backup_(device_, weights.running_count() * sizeof(float)) {}

void RunningBackup::take() const { device_->copy(backup_.data(), weights_.running(), backup_.size(), stream_); }

void RunningBackup::put_back() const { device_->copy(weights_.running(), backup_.data(), backup_.size(), stream_); }

void RunningBackup::put_back_unless_done(const StepState& state) const {
    state.calls().restore(weights_.running(), reinterpret_cast<const float*>(backup_.data()), weights_.running_count(),
                          state.report());
}

}  // namespace sluice::run
