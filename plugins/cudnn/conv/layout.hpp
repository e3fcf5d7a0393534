// Offsets inside the workspace of a launch, assigned at plan time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace sluice::cudnn {

class Layout {
public:
    // Reserves `bytes` more bytes and returns their offset, aligned to 256 bytes.
    std::uint64_t take(std::uint64_t bytes) {
        const std::uint64_t offset = size_;
        size_ += (bytes + 255) / 256 * 256;
        return offset;
    }
    [[nodiscard]] std::uint64_t size() const { return size_; }

private:
    std::uint64_t size_ = 0;
};

inline void* at(void* workspace, std::uint64_t offset) { return static_cast<std::byte*>(workspace) + offset; }

}  // namespace sluice::cudnn
