// Shrinks pictures to 1 / times (2, 4, 8) of their rows and columns, rounded up. Each pixel is the mean of the pixels
// that it covers.
#pragma once

#include "sample/picture.hpp"

namespace sluice::transforms {

inline Extent shrunk(Extent extent, std::int64_t times) {
    return {(extent.height + times - 1) / times, (extent.width + times - 1) / times};
}

// The part of the whole picture that a window of the shrunk picture covers.
Window enlarged(const Window& window, std::int64_t times, Extent whole);

// to: [shrunk(from.extent, times), channels]
void average(const Picture& from, std::int64_t times, std::uint8_t* to);

}  // namespace sluice::transforms
