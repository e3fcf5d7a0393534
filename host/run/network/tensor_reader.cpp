#include "run/network/tensor_reader.hpp"

#include <algorithm>

#include "sluice/half.h"

namespace sluice::run {

std::span<const float> TensorReader::read(const sluice_tensor_spec& spec, const std::byte* from) {
    values_.resize(static_cast<std::size_t>(element_count(spec)));
    if (spec.dtype == kFloat32) {
        device_->copy(values_.data(), from, values_.size() * sizeof(float), stream_);
        device_->wait(stream_);
        return values_;
    }
    halves_.resize(values_.size());
    device_->copy(halves_.data(), from, halves_.size() * sizeof(std::uint16_t), stream_);
    device_->wait(stream_);
    std::ranges::transform(halves_, values_.begin(),
                           spec.dtype == kBfloat16 ? sluice_float_of_bfloat16 : sluice_float_of_float16);
    return values_;
}

}  // namespace sluice::run
