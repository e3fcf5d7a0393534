// RGB to JPEG files in memory, by libjpeg-turbo.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "picture.hpp"

namespace sluice::transforms {

struct JpegQuality {
    int quality = 75;  // 1 to 100, as libjpeg counts
    int across = 2;    // pixels that share a colour
    int down = 2;
};

class JpegWriter {
public:
    JpegWriter();
    ~JpegWriter();
    JpegWriter(const JpegWriter&) = delete;
    JpegWriter& operator=(const JpegWriter&) = delete;

    // The file, valid until the next call. Throws SLUICE_BAD_SAMPLE for what JPEG cannot hold.
    std::span<const std::uint8_t> write(const Picture& rgb, const JpegQuality& quality);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace sluice::transforms
