// PNG files to RGB, by libpng. Alpha is dropped; palettes and grey become RGB; 16 bits are scaled to 8.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "codec/reader.hpp"

namespace sluice::transforms {

bool is_png(std::span<const std::uint8_t> file);

// Reads one file, which has to live longer. Everything that is wrong with it is thrown as SLUICE_BAD_SAMPLE.
class PngReader final : public PictureReader {
public:
    explicit PngReader(std::span<const std::uint8_t> file);
    ~PngReader() override;
    PngReader(const PngReader&) = delete;
    PngReader& operator=(const PngReader&) = delete;

    [[nodiscard]] Extent extent() const override;
    [[nodiscard]] bool is_grey() const override;
    bool shrink(int) override { return false; }
    void read(std::uint8_t* rgb) override;

private:
    [[nodiscard]] bool can_read_part() const override;
    void read_part(const Window& window, std::uint8_t* rgb) override;

    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace sluice::transforms
