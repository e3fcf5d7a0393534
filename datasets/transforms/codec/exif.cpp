#include "codec/exif.hpp"

#include <algorithm>
#include <string_view>

#include "codec/jpeg.hpp"
#include "codec/png.hpp"

namespace sluice::transforms {
namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::uint32_t kOrientationTag = 274;
constexpr std::uint32_t kShortType = 3;  // 16 bits
constexpr std::size_t kEntryBytes = 12;

bool begins_with(Bytes bytes, std::string_view text) {
    return bytes.size() >= text.size() && std::equal(text.begin(), text.end(), bytes.begin());
}

// Reads a number of 1 to 4 bytes in either byte order; 0 if it lies beyond the end.
std::uint32_t number(Bytes bytes, std::size_t at, std::size_t count, bool big_endian) {
    if (at > bytes.size() || count > bytes.size() - at) {
        return 0;
    }
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < count; ++i) {
        value = value << 8 | bytes[at + (big_endian ? i : count - 1 - i)];
    }
    return value;
}

// A TIFF file is a header, then a list of entries of 12 bytes: tag, type, count, value.
Orientation of_tiff(Bytes tiff) {
    const bool big_endian = begins_with(tiff, "MM");
    if (!big_endian && !begins_with(tiff, "II")) {
        return Orientation::upright;
    }
    const std::size_t list = number(tiff, 4, 4, big_endian);
    const std::size_t entries = number(tiff, list, 2, big_endian);
    for (std::size_t i = 0; i < entries; ++i) {
        const std::size_t entry = list + 2 + i * kEntryBytes;
        if (number(tiff, entry, 2, big_endian) == kOrientationTag &&
            number(tiff, entry + 2, 2, big_endian) == kShortType) {
            const std::uint32_t value = number(tiff, entry + 8, 2, big_endian);
            return value >= 1 && value <= 8 ? static_cast<Orientation>(value) : Orientation::upright;
        }
    }
    return Orientation::upright;
}

// A JPEG file is a list of segments (FF, marker, length of 2 bytes that includes itself) up to the first scan (DA).
Bytes tiff_in_jpeg(Bytes file) {
    constexpr std::string_view kLabel("Exif\0\0", 6);
    std::size_t at = 2;
    while (number(file, at, 1, true) == 0xFF) {
        const std::uint32_t marker = number(file, at + 1, 1, true);
        if (marker == 0xFF) {  // a fill byte
            ++at;
            continue;
        }
        const std::size_t length = number(file, at + 2, 2, true);
        if (marker == 0xDA || length < 2 || length > file.size() - at - 2) {
            break;
        }
        const Bytes segment = file.subspan(at + 4, length - 2);
        if (marker == 0xE1 && begins_with(segment, kLabel)) {
            return segment.subspan(kLabel.size());
        }
        at += 2 + length;
    }
    return {};
}

// A PNG file is a list of chunks (length, type, data, checksum); the search stops at the picture's data.
Bytes tiff_in_png(Bytes file) {
    std::size_t at = 8;
    while (file.size() - at >= 12) {
        const std::size_t length = number(file, at, 4, true);
        const Bytes chunk = file.subspan(at + 4);
        if (begins_with(chunk, "IDAT") || length > file.size() - at - 12) {
            break;
        }
        if (begins_with(chunk, "eXIf")) {
            return chunk.subspan(4, length);
        }
        at += 12 + length;
    }
    return {};
}

}  // namespace

Orientation exif_orientation(Bytes file) {
    return of_tiff(is_png(file) ? tiff_in_png(file) : is_jpeg(file) ? tiff_in_jpeg(file) : Bytes());
}

}  // namespace sluice::transforms
