// Reads a JPEG or PNG file as RGB, with 8 bits or all of its bits, or a PNG file as the numbers of a label map.
#pragma once

#include <cstdint>
#include <string>

#include "sample/picture.hpp"

namespace sluice::transforms {

class PictureReader {
public:
    virtual ~PictureReader() = default;
    [[nodiscard]] virtual Extent extent() const = 0;
    [[nodiscard]] virtual bool is_grey() const = 0;
    [[nodiscard]] virtual bool is_cmyk() const { return false; }
    // True if the file has more than 8 bits per channel.
    [[nodiscard]] virtual bool is_deep() const { return false; }
    // True if the file has transparency, which is ignored.
    [[nodiscard]] virtual bool has_alpha() const { return false; }
    // True if chunk cICP names other colours than sRGB. They are not converted.
    [[nodiscard]] virtual bool has_other_colours() const { return false; }
    // Values of a pixel: 3 (red, green, blue) or 1 (a class number).
    [[nodiscard]] virtual std::int64_t channels() const { return 3; }
    // Bytes of each value: 1, or 2 for a file of 16 bits that are kept.
    [[nodiscard]] virtual std::int64_t value_bytes() const { return 1; }
    // Shrinks the picture to 1 / times (2, 4, 8) of its rows and columns, rounded up. False if that is not possible.
    virtual bool shrink(int times) = 0;
    // Call read() or read_window(), once. pixels: [height, width, channels()]
    virtual void read(std::uint8_t* pixels) = 0;
    // Gives the same bytes as this part of the whole picture. Decodes nothing below the window, and as little as
    // possible above and beside it; errors of the file there are not detected.
    void read_window(const Window& window, std::uint8_t* pixels);
    // A harmless defect that was found while reading; empty: none.
    [[nodiscard]] virtual std::string remark() const { return {}; }

protected:
    // False if the file is truncated (which has to be reported), if its rows are not in order (interlaced), or if all
    // pixels have to be checked.
    [[nodiscard]] virtual bool can_read_part() const = 0;
    virtual void read_part(const Window& window, std::uint8_t* pixels) = 0;
};

}  // namespace sluice::transforms
