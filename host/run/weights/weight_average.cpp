#include "run/weights/weight_average.hpp"

#include <utility>

namespace sluice::run {

WeightAverage::WeightAverage(std::shared_ptr<const registry::Device> device, const plan::WeightBytes& bytes)
    : device_(std::move(device)), parameters_(device_, bytes.average), running_(device_, bytes.running_average) {}

void WeightAverage::restart(const float* parameters, const float* running, void* stream) const {
    if (is_kept()) {
        device_->copy(parameters_.data(), parameters, parameters_.size(), stream);
        device_->copy(running_.data(), running, running_.size(), stream);
    }
}

}  // namespace sluice::run
