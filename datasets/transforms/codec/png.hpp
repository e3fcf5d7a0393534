// Decodes PNG files with libpng: to RGB (alpha is dropped; palettes and grey become RGB; 16 bits are scaled to 8 or
// kept), or to the numbers of a label map.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "codec/reader.hpp"

namespace sluice::transforms {

bool is_png(std::span<const std::uint8_t> file);

// The requirements on a label map's file, for messages.
inline constexpr std::string_view kLabelMapFile =
    "a label map is a PNG file of grey, of at most 8 bits, or with a palette: its values or indices are the classes; "
    "RGB whose channels are equal is read as grey, and transparency is ignored";

enum class PngPixels : std::uint8_t {
    rgb,
    deep_rgb,  // uint16 if the file has 16 bits
    numbers,   // grey values (or equal channels) or palette indices, as in the file, without alpha; rejects other files
};

// Reads one file, whose bytes have to outlive the reader. Throws SLUICE_BAD_SAMPLE for every error in the file.
class PngReader final : public PictureReader {
public:
    explicit PngReader(std::span<const std::uint8_t> file, PngPixels pixels = PngPixels::rgb);
    ~PngReader() override;
    PngReader(const PngReader&) = delete;
    PngReader& operator=(const PngReader&) = delete;

    [[nodiscard]] Extent extent() const override;
    [[nodiscard]] bool is_grey() const override;
    [[nodiscard]] bool is_deep() const override;
    [[nodiscard]] bool has_alpha() const override;
    [[nodiscard]] bool has_other_colours() const override;
    [[nodiscard]] std::int64_t channels() const override;
    [[nodiscard]] std::int64_t value_bytes() const override;
    bool shrink(int) override { return false; }
    void read(std::uint8_t* pixels) override;

private:
    [[nodiscard]] bool can_read_part() const override;
    void read_part(const Window& window, std::uint8_t* pixels) override;

    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace sluice::transforms
