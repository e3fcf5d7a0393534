// Offsets into the workspace of a launch, assigned at plan time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sluice/kind/kernel.h"

namespace sluice::onednn {

class Layout {
public:
    // Reserves `bytes` bytes and returns their offset, which is aligned to a cache line of 64 bytes.
    std::uint64_t take(std::uint64_t bytes) {
        const std::uint64_t offset = size_;
        size_ += (bytes + 63) / 64 * 64;
        return offset;
    }
    [[nodiscard]] std::uint64_t size() const { return size_; }

private:
    std::uint64_t size_ = 0;
};

inline float* at(const sluice_launch& launch, std::uint64_t offset) {
    return reinterpret_cast<float*>(static_cast<std::byte*>(launch.workspace) + offset);
}

}  // namespace sluice::onednn
