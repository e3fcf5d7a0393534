// Encodes pictures as PNG files, with libpng's simplified interface, which reports errors by return values.
#include "pictures/png_writer.hpp"

#include <png.h>

#include <string>

#include "sluice/sdk/guard.hpp"

namespace sluice::observers {

std::string png_of(std::span<const std::uint8_t> pixels, std::uint32_t width, std::uint32_t height) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = width;
    image.height = height;
    image.format = PNG_FORMAT_RGB;
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    std::string file(size, '\0');
    if (png_image_write_to_memory(&image, file.data(), &size, /*convert_to_8_bit=*/0, pixels.data(),
                                  /*row_stride=*/0, /*colormap=*/nullptr) == 0) {
        throw sdk::Failure(SLUICE_FAILED, std::string("cannot encode a PNG file: libpng: ") + image.message);
    }
    file.resize(size);
    return file;
}

}  // namespace sluice::observers
