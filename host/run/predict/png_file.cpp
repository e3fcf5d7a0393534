#include "run/predict/png_file.hpp"

#include <fmt/format.h>

#include <string>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/machine.hpp"
#include "base/text/byte_size.hpp"
#include "run/predict/png_errors.hpp"

namespace sluice::run {
namespace {

struct PngOutput {
    std::string bytes;
    PngErrors errors;
    png_structp codec = nullptr;
    png_infop info = nullptr;

    PngOutput() {
        codec = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, &errors, PngErrors::fail, PngErrors::ignore, &errors,
                                          PngErrors::allocate, PngErrors::release);
        info = codec == nullptr ? nullptr : png_create_info_struct(codec);
    }
    ~PngOutput() { png_destroy_write_struct(&codec, &info); }
    PngOutput(const PngOutput&) = delete;
    PngOutput& operator=(const PngOutput&) = delete;

    void expect_memory() const {
        if (errors.refused() > 0) {
            throw OutOfMemory(fmt::format("out of memory: libpng cannot allocate a block of {}{}",
                                          format_size(errors.refused()), memory_limits_text()));
        }
    }

    // Returns false if libpng refuses the profile.
    [[nodiscard]] bool set_profile(const std::string& profile) {
        return errors.attempt([&] {
            png_set_benign_errors(codec, 1);
            png_set_iCCP(codec, info, "ICC profile", PNG_COMPRESSION_TYPE_BASE,
                         reinterpret_cast<png_const_bytep>(profile.data()), static_cast<png_uint_32>(profile.size()));
        }) && png_get_valid(codec, info, PNG_INFO_iCCP) != 0;
    }

    // Call it after png_write_info(). The chunk is written raw because libpng of Debian 12 does not know it.
    void write_code_points(const ColourTags& colours) const {
        if (!colours.code_points.empty()) {
            png_write_chunk(codec, reinterpret_cast<png_const_bytep>("cICP"),
                            reinterpret_cast<png_const_bytep>(colours.code_points.data()), colours.code_points.size());
        }
    }

    void set_other(const ColourTags& colours) const {
        if (colours.srgb_intent) {
            png_set_sRGB(codec, info, *colours.srgb_intent);
        }
        if (colours.gamma) {
            png_set_gAMA(codec, info, *colours.gamma);
        }
        if (colours.chromaticities) {
            const auto& c = *colours.chromaticities;
            png_set_cHRM(codec, info, c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7]);
        }
    }

    static void take(png_structp codec, png_bytep from, std::size_t count) {
        static_cast<std::string*>(png_get_io_ptr(codec))->append(reinterpret_cast<const char*>(from), count);
    }
};

}  // namespace

bool write_png(const std::filesystem::path& file, const HostTensor& image, const ColourTags& colours) {
    PngOutput output;
    output.expect_memory();
    if (output.info == nullptr) {
        throw Error(Exit::save, fmt::format("{}: libpng cannot be started", file.string()));
    }
    const auto shape = shape_of(image.spec);
    const auto height = static_cast<png_uint_32>(shape[0]);
    const auto width = static_cast<png_uint_32>(shape[1]);
    const std::int64_t row_bytes = shape[1] * shape[2];
    const int type = shape[2] == 1 ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB;
    bool is_written = output.errors.attempt([&] {
        png_set_write_fn(output.codec, &output.bytes, PngOutput::take, nullptr);
        png_set_IHDR(output.codec, output.info, width, height, 8, type, PNG_INTERLACE_NONE,
                     PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    });
    const bool keeps_profile = colours.profile.empty() || (is_written && fits_channels(colours.profile, shape[2]) &&
                                                           output.set_profile(colours.profile));
    is_written = is_written && output.errors.attempt([&] {
        output.set_other(colours);
        png_write_info(output.codec, output.info);
        output.write_code_points(colours);
        for (std::int64_t y = 0; y < shape[0]; ++y) {
            png_write_row(output.codec, image.bytes.data() + y * row_bytes);
        }
        png_write_end(output.codec, nullptr);
    });
    output.expect_memory();
    if (!is_written) {
        throw Error(Exit::save, fmt::format("{}: cannot be encoded: {}", file.string(), output.errors.message()));
    }
    std::error_code error;
    std::filesystem::create_directories(file.parent_path(), error);
    if (error) {
        throw Error(Exit::save, fmt::format("{}: cannot make the folder: {}{}", file.parent_path().string(),
                                            error.message(), removed_folder_text(file)));
    }
    write_file_atomically(file, output.bytes);
    return keeps_profile;
}

}  // namespace sluice::run
