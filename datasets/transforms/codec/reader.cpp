#include "codec/reader.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "codec/jpeg.hpp"
#include "codec/png.hpp"
#include "sluice/sdk/guard.hpp"

namespace sluice::transforms {
namespace {

constexpr std::int64_t kMostPixels = std::int64_t{1} << 28;  // 768 MiB of RGB

[[noreturn]] void bad(const std::string& what) { throw sdk::Failure(SLUICE_BAD_SAMPLE, what); }

// What the first bytes of something that is no JPEG and no PNG look like.
std::string first_bytes(std::span<const std::uint8_t> file) {
    std::string text;
    for (const std::uint8_t byte : file.first(std::min<std::size_t>(file.size(), 4))) {
        std::array<char, 4> hex = {};
        std::snprintf(hex.data(), hex.size(), "%02x ", byte);
        text += hex.data();
    }
    return "not a JPEG or PNG file: " + std::to_string(file.size()) + " bytes that begin with " + text + "(hex)";
}

std::unique_ptr<PictureReader> open_any(std::span<const std::uint8_t> file) {
    if (is_jpeg(file)) {
        return std::make_unique<JpegReader>(file);
    }
    if (is_png(file)) {
        return std::make_unique<PngReader>(file);
    }
    bad(file.empty() ? "0 bytes, not a picture" : first_bytes(file));
}

}  // namespace

void PictureReader::read_window(const Window& window, std::uint8_t* rgb) {
    const Extent whole = extent();
    if (window.extent == whole) {
        read(rgb);
    } else if (can_read_part()) {
        read_part(window, rgb);
    } else {
        std::vector<std::uint8_t> all(static_cast<std::size_t>(whole.height * whole.width * 3));
        read(all.data());
        copy_window({all.data(), whole, 3}, window, rgb);
    }
}

std::unique_ptr<PictureReader> open_picture(std::span<const std::uint8_t> file) {
    std::unique_ptr<PictureReader> reader = open_any(file);
    const Extent extent = reader->extent();
    if (extent.height * extent.width > kMostPixels) {
        bad(describe(extent) + " pixels; at most " + std::to_string(kMostPixels) + " are supported");
    }
    return reader;
}

}  // namespace sluice::transforms
