// Reads class numbers in a tensor of uint8, int32 or int64. The host has checked them against the layer's traits: each
// is a class, or the ignored label.
#pragma once

#include <cstdint>

#include "sluice/sdk/tensor.hpp"

namespace sluice::sdk {

inline constexpr sluice_dtype kInt32{SLUICE_CODE_INT, 32, 1};

inline bool is_label_type(sluice_dtype dtype) {
    return same(dtype, kUint8) || same(dtype, kInt32) || same(dtype, kInt64);
}

class Labels {
public:
    // `data` is borrowed; `dtype` is a label type.
    Labels(const void* data, sluice_dtype dtype) : data_(data), bits_(dtype.bits) {}

    std::int64_t operator[](std::int64_t i) const {
        switch (bits_) {
            case 8:
                return static_cast<const std::uint8_t*>(data_)[i];
            case 32:
                return static_cast<const std::int32_t*>(data_)[i];
            default:
                return static_cast<const std::int64_t*>(data_)[i];
        }
    }

private:
    const void* data_;
    std::uint8_t bits_;
};

}  // namespace sluice::sdk
