#include "run/weights/gradient_backup.hpp"

namespace sluice::run {

GradientBackup::GradientBackup(const std::shared_ptr<const registry::Device>& device, void* stream,
                               const Weights& weights, bool has_several_batches)
    : device_(device),
      stream_(stream),
      weights_(weights),
      before_(device, has_several_batches ? weights.count() * sizeof(float) : 0) {}

void GradientBackup::take(bool is_first) {
    is_zero_ = is_first;
    done_ = 0;
    if (!is_zero_) {
        device_->copy(before_.data(), weights_.gradients(), before_.size(), stream_);
    }
}

void GradientBackup::put_back(std::uint64_t end) {
    float* const to = weights_.gradients() + done_;
    const std::uint64_t bytes = (end - done_) * sizeof(float);
    if (is_zero_) {
        device_->zero(to, bytes, stream_);
    } else {
        device_->copy(to, before_.data() + done_ * sizeof(float), bytes, stream_);
    }
    done_ = end;
}

}  // namespace sluice::run
