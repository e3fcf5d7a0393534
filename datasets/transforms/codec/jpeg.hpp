// JPEG files to RGB, by libjpeg-turbo.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "picture.hpp"

namespace sluice::transforms {

bool is_jpeg(std::span<const std::uint8_t> file);

// Reads one file, which has to live longer. Everything that is wrong with it is thrown as SLUICE_BAD_SAMPLE.
class JpegReader {
public:
    explicit JpegReader(std::span<const std::uint8_t> file);
    ~JpegReader();
    JpegReader(const JpegReader&) = delete;
    JpegReader& operator=(const JpegReader&) = delete;

    [[nodiscard]] Extent extent() const;
    [[nodiscard]] bool is_grey() const;
    // Once. rgb: [height, width, 3]
    void read(std::uint8_t* rgb);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace sluice::transforms
