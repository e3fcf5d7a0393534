// A decoded picture in a sample: an image [height, width, channels] or a label map [height, width]. Images of more than
// 8 bits are tensors of float32, 0 to 1, because the image role is only for uint8 (kind/source.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "sluice/sdk/tensor.hpp"

namespace sluice::transforms {

struct Extent {
    std::int64_t height = 0;
    std::int64_t width = 0;
    bool operator==(const Extent&) const = default;
};

// "120x90": width first, as is usual for pictures.
inline std::string describe(Extent extent) {
    return std::to_string(extent.width) + "x" + std::to_string(extent.height);
}

// Part of a picture.
struct Window {
    std::int64_t top = 0;
    std::int64_t left = 0;
    Extent extent;
};

// Borrows the tensor's memory.
struct Picture {
    const std::uint8_t* bytes = nullptr;
    Extent extent;
    std::int64_t channels = 1;
    std::int64_t value_bytes = 1;  // of each channel of a pixel
    [[nodiscard]] std::int64_t pixel_bytes() const { return channels * value_bytes; }
    [[nodiscard]] std::int64_t row_bytes() const { return extent.width * pixel_bytes(); }
};

inline Picture picture_of(const sluice_tensor& tensor) {
    return {static_cast<const std::uint8_t*>(tensor.data) + tensor.byte_offset,
            {tensor.shape[0], tensor.shape[1]},
            tensor.rank == 3 ? tensor.shape[2] : 1,
            tensor.dtype.bits / 8};
}

// to: [window.extent, channels]
inline void copy_window(const Picture& from, const Window& window, std::uint8_t* to) {
    const std::int64_t bytes = window.extent.width * from.pixel_bytes();
    const std::uint8_t* row = from.bytes + window.top * from.row_bytes() + window.left * from.pixel_bytes();
    for (std::int64_t y = 0; y < window.extent.height; ++y, to += bytes, row += from.row_bytes()) {
        std::memcpy(to, row, static_cast<std::size_t>(bytes));
    }
}

// Copies the window of one picture to the same place in another picture of the same size.
inline void paste_window(const Picture& from, const Window& window, std::uint8_t* to) {
    const std::int64_t bytes = window.extent.width * from.pixel_bytes();
    std::int64_t at = window.top * from.row_bytes() + window.left * from.pixel_bytes();
    for (std::int64_t y = 0; y < window.extent.height; ++y, at += from.row_bytes()) {
        std::memcpy(to + at, from.bytes + at, static_cast<std::size_t>(bytes));
    }
}

// Sets `bytes` bytes of a picture to `value`; in float32 to value / 255.
inline void fill(std::uint8_t* to, std::int64_t bytes, std::uint8_t value, std::int64_t value_bytes) {
    if (value_bytes == 1) {
        std::memset(to, value, static_cast<std::size_t>(bytes));
    } else {
        std::fill_n(reinterpret_cast<float*>(to), bytes / value_bytes, static_cast<float>(value) / 255.0F);
    }
}

// The spec of a picture with the type, the rank and the channels of `tensor` and another extent.
inline sluice_tensor_spec spec_like(const sluice_tensor& tensor, Extent extent) {
    return tensor.rank == 3 ? sdk::make_spec(tensor.dtype, {extent.height, extent.width, tensor.shape[2]})
                            : sdk::make_spec(tensor.dtype, {extent.height, extent.width});
}

}  // namespace sluice::transforms
