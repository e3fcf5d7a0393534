// A JPEG or PNG file as it is read to RGB, of 8 bits or as many as it has, or a PNG file to the numbers of a label map.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "picture.hpp"

namespace sluice::transforms {

class PictureReader {
public:
    virtual ~PictureReader() = default;
    [[nodiscard]] virtual Extent extent() const = 0;
    [[nodiscard]] virtual bool is_grey() const = 0;
    [[nodiscard]] virtual bool is_cmyk() const { return false; }
    // Whether the file has more bits of a colour than 8.
    [[nodiscard]] virtual bool is_deep() const { return false; }
    // Whether the file has transparency, which is left out.
    [[nodiscard]] virtual bool has_alpha() const { return false; }
    // Whether the file says by chunk cICP that its colours are not those of sRGB, which is not looked at further.
    [[nodiscard]] virtual bool has_other_colours() const { return false; }
    // Of a pixel: 3, red, green and blue, or 1, the number of a class.
    [[nodiscard]] virtual std::int64_t channels() const { return 3; }
    // Of each channel: 1, or 2 of a file of 16 bits that are kept.
    [[nodiscard]] virtual std::int64_t value_bytes() const { return 1; }
    // From now on, the picture has 1 / times (2, 4, 8) of its rows and columns, rounded up. False: that cannot be.
    virtual bool shrink(int times) = 0;
    // One of these, once. pixels: [height, width, channels()]
    virtual void read(std::uint8_t* pixels) = 0;
    // The same bytes as that part of the whole; decodes nothing below it, and as little as it can above and beside it.
    // What is wrong with the file there is then not seen.
    void read_window(const Window& window, std::uint8_t* pixels);
    // What is wrong with the file and has done no harm, by what was read of it; empty where nothing is.
    [[nodiscard]] virtual std::string remark() const { return {}; }

protected:
    // Not of a file that is cut off, which has to be told, nor where rows do not follow one another, nor if all pixels
    // have to be seen once.
    [[nodiscard]] virtual bool can_read_part() const = 0;
    virtual void read_part(const Window& window, std::uint8_t* pixels) = 0;
};

// The file has to live longer. Everything that is wrong with it is thrown as SLUICE_BAD_SAMPLE.
// `deep`: 16 bits are kept, else scaled to 8.
std::unique_ptr<PictureReader> open_picture(std::span<const std::uint8_t> file, bool deep = false);

// Likewise, of one channel: the values of a grey PNG file of at most 8 bits, or of one in RGB whose channels are equal,
// or the indices of one with a palette, as they are in the file. Other files are refused.
std::unique_ptr<PictureReader> open_label_map(std::span<const std::uint8_t> file);

}  // namespace sluice::transforms
