#include "pictures.hpp"

#include <png.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

// libjpeg's header needs FILE and size_t before it.
#include <jpeglib.h>

namespace sluice::test {
namespace {

std::string encode(png_image header, const void* pixels) {
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(header);
    std::string bytes(size, '\0');
    if (png_image_write_to_memory(&header, bytes.data(), &size, 0, pixels, 0, nullptr) == 0) {
        throw std::runtime_error(header.message);
    }
    bytes.resize(size);
    return bytes;
}

png_image png_header(int height, int width, png_uint_32 format) {
    png_image header{};
    header.version = PNG_IMAGE_VERSION;
    header.height = static_cast<png_uint_32>(height);
    header.width = static_cast<png_uint_32>(width);
    header.format = format;
    return header;
}

// Returns EXIF data with one directory of one entry: tag 274, a short.
std::array<unsigned char, 26> tiff_of(int orientation) {
    const auto value = static_cast<unsigned char>(orientation);
    return {'I', 'I', 42, 0, 8, 0, 0, 0, 1, 0, 18, 1, 3, 0, 1, 0, 0, 0, value, 0, 0, 0, 0, 0, 0, 0};
}

struct PngHead {
    int height;
    int width;
    int bits;
    int color;
    bool interlaced;
};

// `pixels` has a byte for each value, or two for 16 bits, row after row. announce(codec, info) sets the chunks before
// the pixels.
template <class Announce>
std::string png_of_rows(const PngHead& head, png_bytep pixels, const Announce& announce) {
    png_structp codec = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_infop info = png_create_info_struct(codec);
    std::string file;
    png_set_write_fn(
        codec, &file,
        [](png_structp to, png_bytep bytes, std::size_t count) {
            static_cast<std::string*>(png_get_io_ptr(to))->append(reinterpret_cast<const char*>(bytes), count);
        },
        [](png_structp) {});
    png_set_IHDR(codec, info, static_cast<png_uint_32>(head.width), static_cast<png_uint_32>(head.height), head.bits,
                 head.color, head.interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    announce(codec, info);
    png_write_info(codec, info);
    png_set_packing(codec);
    if constexpr (std::endian::native == std::endian::little) {
        png_set_swap(codec);
    }
    const std::ptrdiff_t row_bytes =
        static_cast<std::ptrdiff_t>(head.width) * png_get_channels(codec, info) * (head.bits == 16 ? 2 : 1);
    std::vector<png_bytep> rows;
    for (int y = 0; y < head.height; ++y) {
        rows.push_back(pixels + y * row_bytes);
    }
    png_write_image(codec, rows.data());
    png_write_end(codec, info);
    png_destroy_write_struct(&codec, &info);
    return file;
}

}  // namespace

Picture make_picture(int height, int width, int channels, int seed) {
    Picture picture{height, width, channels, {}};
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            for (int c = 0; c < channels; ++c) {
                const double wave = 60.0 * std::sin(0.11 * (x + seed) + c) + 40.0 * std::cos(0.07 * y - seed);
                const double edge = (x / 13 + y / 17 + seed) % 2 == 0 ? 20.0 : -20.0;
                picture.pixels.push_back(static_cast<std::uint8_t>(std::lround(128.0 + wave + edge)));
            }
        }
    }
    return picture;
}

std::string png_of(const Picture& picture) {
    const png_uint_32 format = picture.channels == 1   ? PNG_FORMAT_GRAY
                               : picture.channels == 2 ? PNG_FORMAT_GA
                               : picture.channels == 3 ? PNG_FORMAT_RGB
                                                       : PNG_FORMAT_RGBA;
    return encode(png_header(picture.height, picture.width, format), picture.pixels.data());
}

namespace {

template <class Announce>
std::string png_with(const Picture& picture, const Announce& announce) {
    auto pixels = picture.pixels;
    const int color = picture.channels == 1 ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB;
    return png_of_rows({picture.height, picture.width, 8, color, false}, pixels.data(), announce);
}

// Calls look(codec, info) after the chunks before the pixels are read.
template <class Look>
void look_at_png(const std::string& bytes, const Look& look) {
    png_structp codec = png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_infop info = png_create_info_struct(codec);
    const char* at = bytes.data();
    png_set_read_fn(codec, &at, [](png_structp from, png_bytep to, std::size_t count) {
        auto** const place = static_cast<const char**>(png_get_io_ptr(from));
        std::memcpy(to, *place, count);
        *place += count;
    });
    png_read_info(codec, info);
    look(codec, info);
    png_destroy_read_struct(&codec, &info, nullptr);
}

}  // namespace

std::string png_with_profile(const Picture& picture, const std::string& profile) {
    return png_with(picture, [&](png_structp codec, png_infop info) {
        png_set_iCCP(codec, info, "test", PNG_COMPRESSION_TYPE_BASE, reinterpret_cast<png_const_bytep>(profile.data()),
                     static_cast<png_uint_32>(profile.size()));
    });
}

std::string png_with_gamma(const Picture& picture, double gamma) {
    return png_with(picture, [&](png_structp codec, png_infop info) { png_set_gAMA(codec, info, gamma); });
}

std::string png_with_code_points(const Picture& picture, const std::string& numbers) {
    return png_with(picture, [&](png_structp codec, png_infop info) {
        png_unknown_chunk chunk{{'c', 'I', 'C', 'P', 0},
                                reinterpret_cast<png_bytep>(const_cast<char*>(numbers.data())),
                                numbers.size(),
                                PNG_HAVE_IHDR};
        png_set_keep_unknown_chunks(codec, PNG_HANDLE_CHUNK_ALWAYS, chunk.name, 1);
        png_set_unknown_chunks(codec, info, &chunk, 1);
    });
}

// Sections 7.2 and 7.3 of ICC.1:2010 define the fields: size, version, class, colour space, connection space,
// signature, illuminant and one tag.
std::string icc_profile(const std::string& space) {
    constexpr std::size_t kTag = 144;  // offset of the tag
    constexpr std::size_t kSize = 400;
    std::string profile(kSize, '\0');
    profile.replace(2, 2, std::string("\x01\x90", 2));  // kSize
    profile[8] = 2;
    profile.replace(12, 4, "mntr");
    profile.replace(16, 4, space);
    profile.replace(20, 4, "XYZ ");
    profile.replace(36, 4, "acsp");
    profile.replace(68, 12, std::string("\0\0\xf6\xd6\0\x01\0\0\0\0\xd3\x2d", 12));
    profile.replace(128, 16,
                    std::string("\0\0\0\x01"
                                "desc"
                                "\0\0\0\x90"
                                "\0\0\x01\0",
                                16));
    for (std::size_t i = kTag; i < kSize; ++i) {  // libpng refuses a profile that compresses too well
        profile[i] = static_cast<char>(i * i % 251);
    }
    return profile;
}

std::string profile_of_png(const std::string& bytes) {
    std::string found;
    look_at_png(bytes, [&](png_structp codec, png_infop info) {
        png_charp name = nullptr;
        int compression = 0;
        png_bytep profile = nullptr;
        png_uint_32 size = 0;
        if (png_get_iCCP(codec, info, &name, &compression, &profile, &size) != 0) {
            found.assign(reinterpret_cast<const char*>(profile), size);
        }
    });
    return found;
}

bool is_tagged_srgb(const std::string& png) {
    bool is_tagged = false;
    look_at_png(png,
                [&](png_structp codec, png_infop info) { is_tagged = png_get_valid(codec, info, PNG_INFO_sRGB) != 0; });
    return is_tagged;
}

std::string png_of_16_bits(int height, int width, int channels) {
    const std::vector<std::uint16_t> pixels(static_cast<std::size_t>(height * width * channels), 0x1234);
    return encode(png_header(height, width, channels == 1 ? PNG_FORMAT_LINEAR_Y : PNG_FORMAT_LINEAR_RGB),
                  pixels.data());
}

std::string png_of(const DeepPicture& picture, bool interlaced) {
    auto values = picture.values;
    const int color = picture.channels == 1 ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB;
    return png_of_rows({picture.height, picture.width, 16, color, interlaced},
                       reinterpret_cast<png_bytep>(values.data()), [](png_structp, png_infop) {});
}

std::string png_of_numbers(const Picture& numbers, const NumbersKind& kind) {
    auto pixels = numbers.pixels;
    const int color = kind.palette ? PNG_COLOR_TYPE_PALETTE : PNG_COLOR_TYPE_GRAY;
    return png_of_rows({numbers.height, numbers.width, kind.bits, color, kind.interlaced}, pixels.data(),
                       [&](png_structp codec, png_infop info) {
                           if (kind.palette) {
                               std::vector<png_color> colors;
                               for (int i = 0; i < 1 << kind.bits; ++i) {
                                   const auto shade = static_cast<png_byte>(255 - i);
                                   colors.push_back({shade, 17, shade});
                               }
                               png_set_PLTE(codec, info, colors.data(), static_cast<int>(colors.size()));
                           }
                           if (kind.orientation != 1) {
                               auto exif = tiff_of(kind.orientation);
                               png_set_eXIf_1(codec, info, exif.size(), exif.data());
                           }
                       });
}

std::string jpeg_of(const Picture& picture, const JpegKind& kind) {
    jpeg_compress_struct codec{};
    jpeg_error_mgr errors{};
    codec.err = jpeg_std_error(&errors);
    jpeg_create_compress(&codec);
    unsigned char* bytes = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&codec, &bytes, &size);
    codec.image_height = static_cast<JDIMENSION>(picture.height);
    codec.image_width = static_cast<JDIMENSION>(picture.width);
    codec.input_components = picture.channels;
    codec.in_color_space = picture.channels == 1 ? JCS_GRAYSCALE : picture.channels == 3 ? JCS_RGB : JCS_CMYK;
    jpeg_set_defaults(&codec);
    if (kind.ycck) {
        jpeg_set_colorspace(&codec, JCS_YCCK);
    }
    jpeg_set_quality(&codec, kind.quality, TRUE);
    codec.optimize_coding = kind.optimized ? TRUE : FALSE;
    codec.comp_info[0].h_samp_factor = kind.across;
    codec.comp_info[0].v_samp_factor = kind.down;
    if (kind.progressive) {
        jpeg_simple_progression(&codec);
    }
    jpeg_start_compress(&codec, TRUE);
    if (kind.orientation != 1) {
        std::vector<unsigned char> exif{'E', 'x', 'i', 'f', 0, 0};
        const auto tiff = tiff_of(kind.orientation);
        exif.insert(exif.end(), tiff.begin(), tiff.end());
        jpeg_write_marker(&codec, JPEG_APP0 + 1, exif.data(), static_cast<unsigned>(exif.size()));
    }
    if (!kind.profile.empty()) {
        jpeg_write_icc_profile(&codec, reinterpret_cast<const JOCTET*>(kind.profile.data()),
                               static_cast<unsigned>(kind.profile.size()));
    }
    while (codec.next_scanline < codec.image_height) {
        auto* row = const_cast<JSAMPROW>(picture.pixels.data() +
                                         static_cast<std::size_t>(codec.next_scanline) *
                                             static_cast<std::size_t>(picture.width * picture.channels));
        jpeg_write_scanlines(&codec, &row, 1);
    }
    jpeg_finish_compress(&codec);
    jpeg_destroy_compress(&codec);
    std::string file(reinterpret_cast<char*>(bytes), size);
    std::free(bytes);
    return file;
}

Picture read_png(const std::string& bytes) {
    png_image header{};
    header.version = PNG_IMAGE_VERSION;
    if (png_image_begin_read_from_memory(&header, bytes.data(), bytes.size()) == 0) {
        throw std::runtime_error(header.message);
    }
    header.format = PNG_FORMAT_RGB;
    Picture picture{static_cast<int>(header.height), static_cast<int>(header.width), 3,
                    std::vector<std::uint8_t>(PNG_IMAGE_SIZE(header))};
    if (png_image_finish_read(&header, nullptr, picture.pixels.data(), 0, nullptr) == 0) {
        throw std::runtime_error(header.message);
    }
    return picture;
}

}  // namespace sluice::test
