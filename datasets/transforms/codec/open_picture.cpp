#include "codec/open_picture.hpp"

#include <string>

#include "codec/jpeg.hpp"
#include "codec/png.hpp"
#include "file_kinds/file_kind.hpp"
#include "sluice/sdk/guard.hpp"

namespace sluice::transforms {
namespace {

constexpr std::int64_t kMostPixels = std::int64_t{1} << 28;  // 768 MiB of RGB

[[noreturn]] void bad(const std::string& what) { throw sdk::Failure(SLUICE_BAD_SAMPLE, what); }

std::unique_ptr<PictureReader> open_any(std::span<const std::uint8_t> file, bool deep) {
    if (is_jpeg(file)) {
        return std::make_unique<JpegReader>(file);
    }
    if (is_png(file)) {
        return std::make_unique<PngReader>(file, deep ? PngPixels::deep_rgb : PngPixels::rgb);
    }
    bad("not a JPEG or PNG file but " + file_kinds::describe_file(file));
}

std::unique_ptr<PictureReader> of_supported_size(std::unique_ptr<PictureReader> reader) {
    const Extent extent = reader->extent();
    if (extent.height * extent.width > kMostPixels) {
        bad(describe(extent) + " pixels; at most " + std::to_string(kMostPixels) + " are supported");
    }
    return reader;
}

}  // namespace

std::unique_ptr<PictureReader> open_picture(std::span<const std::uint8_t> file, bool deep) {
    return of_supported_size(open_any(file, deep));
}

std::unique_ptr<PictureReader> open_label_map(std::span<const std::uint8_t> file) {
    if (is_jpeg(file)) {
        bad("a JPEG file, whose pixels are not exact; " + std::string(kLabelMapFile));
    }
    if (!is_png(file)) {
        bad("not a PNG file but " + file_kinds::describe_file(file) + "; " + std::string(kLabelMapFile));
    }
    return of_supported_size(std::make_unique<PngReader>(file, PngPixels::numbers));
}

}  // namespace sluice::transforms
