// JPEG files with restart markers, and an index of them in a marker of its own (APP9) that other programs pass over.
// The pixels are those of the original, to the bit; of a window only the segments that it touches are decoded.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "picture.hpp"

namespace sluice::transforms {

// Codes the coefficients anew, without loss; every other marker is kept. The file as it is where JPEG as we write it
// cannot hold them. Throws SLUICE_BAD_SAMPLE where the file is damaged.
std::vector<std::uint8_t> add_restarts(std::span<const std::uint8_t> file);

// A smaller JPEG file, and where the window lies in it.
struct CutOut {
    std::vector<std::uint8_t> file;
    Window window;
};

// Such as of a file that another program has changed, and kept the marker.
class IndexDoesNotFit : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// Nothing where the file has no index. Throws IndexDoesNotFit.
std::optional<CutOut> cut_out(std::span<const std::uint8_t> file, const Window& window);

}  // namespace sluice::transforms
