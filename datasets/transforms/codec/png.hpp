// PNG files to RGB, by libpng. Alpha is dropped; palettes and grey of 1 to 8 bits become RGB.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "picture.hpp"

namespace sluice::transforms {

bool is_png(std::span<const std::uint8_t> file);

// Reads one file, which has to live longer. Everything that is wrong with it is thrown as SLUICE_BAD_SAMPLE.
class PngReader {
public:
    explicit PngReader(std::span<const std::uint8_t> file);
    ~PngReader();
    PngReader(const PngReader&) = delete;
    PngReader& operator=(const PngReader&) = delete;

    [[nodiscard]] Extent extent() const;
    [[nodiscard]] bool is_grey() const;
    // Once. rgb: [height, width, 3]
    void read(std::uint8_t* rgb);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace sluice::transforms
