#include "run/predict/colour_tags.hpp"

#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "run/predict/png_errors.hpp"

// libjpeg's header needs FILE and size_t before it.
#include <jpeglib.h>

namespace sluice::run {
namespace {

struct PngInput {
    std::string_view unread;
    PngErrors errors;
    png_structp codec = nullptr;
    png_infop info = nullptr;

    explicit PngInput(std::string_view file) : unread(file) {
        codec = png_create_read_struct(PNG_LIBPNG_VER_STRING, &errors, PngErrors::fail, PngErrors::ignore);
        info = codec == nullptr ? nullptr : png_create_info_struct(codec);
    }
    ~PngInput() { png_destroy_read_struct(&codec, &info, nullptr); }
    PngInput(const PngInput&) = delete;
    PngInput& operator=(const PngInput&) = delete;

    [[nodiscard]] bool read_info() {
        return info != nullptr && errors.attempt([this] {
            png_set_read_fn(codec, this, give);
            png_set_keep_unknown_chunks(codec, PNG_HANDLE_CHUNK_ALWAYS, reinterpret_cast<png_const_bytep>("cICP"), 1);
            png_read_info(codec, info);
        });
    }

    // Returns the data of chunk cICP; empty if its form is not that of the standard (PNG 3, 11.3.2.6).
    [[nodiscard]] std::string code_points() const {
        constexpr std::size_t kBytes = 4;
        png_unknown_chunkp chunk = nullptr;
        const int count = png_get_unknown_chunks(codec, info, &chunk);
        return count == 1 && chunk->size == kBytes ? std::string(reinterpret_cast<const char*>(chunk->data), kBytes)
                                                   : std::string();
    }

    static void give(png_structp codec, png_bytep to, std::size_t count) {
        auto* const self = static_cast<PngInput*>(png_get_io_ptr(codec));
        if (count > self->unread.size()) {
            png_error(codec, "it ends too early");
        }
        std::memcpy(to, self->unread.data(), count);
        self->unread.remove_prefix(count);
    }
};

ColourTags tags_of_png(std::string_view file) {
    PngInput input(file);
    ColourTags tags;
    if (!input.read_info()) {
        return tags;
    }
    tags.code_points = input.code_points();
    png_charp name = nullptr;
    int compression = 0;
    png_bytep profile = nullptr;
    png_uint_32 bytes = 0;
    if (png_get_iCCP(input.codec, input.info, &name, &compression, &profile, &bytes) != 0) {
        tags.profile.assign(reinterpret_cast<const char*>(profile), bytes);
        return tags;
    }
    if (int intent = 0; png_get_sRGB(input.codec, input.info, &intent) != 0) {
        tags.srgb_intent = intent;
        return tags;
    }
    if (double gamma = 0.0; png_get_gAMA(input.codec, input.info, &gamma) != 0) {
        tags.gamma = gamma;
    }
    std::array<double, 8> c{};
    if (png_get_cHRM(input.codec, input.info, &c[0], &c[1], &c[2], &c[3], &c[4], &c[5], &c[6], &c[7]) != 0) {
        tags.chromaticities = c;
    }
    return tags;
}

struct JpegInput {
    struct Errors : jpeg_error_mgr {
        std::jmp_buf escape;
    };

    jpeg_decompress_struct codec = {};
    Errors errors = {};
    JOCTET* profile = nullptr;
    unsigned bytes = 0;

    JpegInput() {
        codec.err = jpeg_std_error(&errors);
        errors.error_exit = [](j_common_ptr failed) { std::longjmp(static_cast<Errors*>(failed->err)->escape, 1); };
        errors.emit_message = [](j_common_ptr, int) {};
    }
    ~JpegInput() {
        jpeg_destroy_decompress(&codec);
        std::free(profile);
    }
    JpegInput(const JpegInput&) = delete;
    JpegInput& operator=(const JpegInput&) = delete;

    void read_profile(std::string_view file) {
        if (setjmp(errors.escape) != 0) {
            return;
        }
        jpeg_create_decompress(&codec);
        jpeg_mem_src(&codec, reinterpret_cast<const unsigned char*>(file.data()),
                     static_cast<unsigned long>(file.size()));
        jpeg_save_markers(&codec, JPEG_APP0 + 2, 0xFFFF);
        jpeg_read_header(&codec, TRUE);
        jpeg_read_icc_profile(&codec, &profile, &bytes);
    }
};

}  // namespace

ColourTags read_colour_tags(std::string_view file) {
    if (!file.starts_with("\xFF\xD8")) {
        return tags_of_png(file);
    }
    JpegInput input;
    input.read_profile(file);
    ColourTags tags;
    if (input.profile != nullptr) {
        tags.profile.assign(reinterpret_cast<const char*>(input.profile), input.bytes);
    }
    return tags;
}

// The colour space is at byte 16 of the profile's header (ICC.1:2010, 7.2).
bool fits_channels(const std::string& profile, std::int64_t channels) {
    return profile.size() > 20 && profile.compare(16, 4, channels == 1 ? "GRAY" : "RGB ") == 0;
}

}  // namespace sluice::run
