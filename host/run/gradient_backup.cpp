#include "run/gradient_backup.hpp"

namespace sluice::run {

GradientBackup::GradientBackup(const std::shared_ptr<const registry::Device>& device, void* stream,
                               const Weights& weights, bool is_first)
    : device_(device),
      stream_(stream),
      weights_(weights),
      before_(device, is_first ? 0 : weights.count() * sizeof(float)) {
    if (before_.size() > 0) {
        device_->copy(before_.data(), weights_.gradients(), before_.size(), stream_);
    }
}

GradientBackup::~GradientBackup() { device_->wait(stream_); }

void GradientBackup::put_back(std::uint64_t end) {
    float* const to = weights_.gradients() + done_;
    const std::uint64_t bytes = (end - done_) * sizeof(float);
    if (before_.size() > 0) {
        device_->copy(to, before_.data() + done_ * sizeof(float), bytes, stream_);
    } else {
        device_->zero(to, bytes, stream_);
    }
    done_ = end;
}

}  // namespace sluice::run
