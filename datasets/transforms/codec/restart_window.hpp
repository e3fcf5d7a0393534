// JPEG files with restart markers and an index of them, in a marker (APP9) that other programs ignore. The pixels are
// bitwise those of the original file. To read a window, only the segments that it touches are decoded.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "sample/picture.hpp"

namespace sluice::transforms {

// A smaller JPEG file, and the window's position in it.
struct CutOut {
    std::vector<std::uint8_t> file;
    Window window;
};

// For example, another program has changed the file and kept the index marker.
class IndexDoesNotFit : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// std::nullopt if the file has no index. Throws IndexDoesNotFit.
std::optional<CutOut> cut_out(std::span<const std::uint8_t> file, const Window& window);

}  // namespace sluice::transforms
