// Encodes RGB pictures as JPEG files in memory with libjpeg-turbo.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "sample/picture.hpp"

namespace sluice::transforms {

struct JpegQuality {
    int quality = 75;  // 1 to 100, libjpeg's setting
    int across = 2;    // pixels that share a colour, horizontally
    int down = 2;      // the same, vertically
};

class JpegWriter {
public:
    JpegWriter();
    ~JpegWriter();
    JpegWriter(const JpegWriter&) = delete;
    JpegWriter& operator=(const JpegWriter&) = delete;

    // Returns the file, which is valid until the next call. Throws SLUICE_BAD_SAMPLE if JPEG cannot hold the picture.
    std::span<const std::uint8_t> write(const Picture& rgb, const JpegQuality& quality);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace sluice::transforms
