#include "codec/jpeg.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "codec/jpeg_errors.hpp"
#include "codec/restart_window.hpp"
#include "codec/scan_cut.hpp"
#include "codec/touched.hpp"
#include "sluice/sdk/guard.hpp"

namespace sluice::transforms {

struct JpegReader::State {
    std::span<const std::uint8_t> file;
    jpeg_decompress_struct codec = {};
    JpegErrors errors;
    std::string remark{};

    explicit State(std::span<const std::uint8_t> bytes) : file(bytes) { errors.serve(codec); }
    ~State() { jpeg_destroy_decompress(&codec); }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    template <class Body>
    void attempt(Body body) {
        if (!errors.attempt(body)) {
            errors.raise("the JPEG file is damaged or cut off");
        }
    }
};

namespace {

// Bytes of a pixel in libjpeg's output.
std::size_t pixel_bytes(const jpeg_decompress_struct& codec) {
    return static_cast<std::size_t>(codec.out_color_components);
}

// Same as Pillow's convert("RGB"): takes C, M, Y and K as inverted, as Adobe writes them, whether a file says so or
// not.
void cmyk_to_rgb(const std::uint8_t* cmyk, std::size_t pixels, std::uint8_t* rgb) {
    for (std::size_t i = 0; i < pixels; ++i, cmyk += 4, rgb += 3) {
        const unsigned white = cmyk[3];
        for (int c = 0; c < 3; ++c) {
            const unsigned product = (255U - cmyk[c]) * white + 128;
            rgb[c] = static_cast<std::uint8_t>(white - ((product + (product >> 8)) >> 8));
        }
    }
}

// True if the file ends with JPEG's end-of-image marker.
bool is_complete(std::span<const std::uint8_t> file) {
    return file[file.size() - 2] == 0xFF && file[file.size() - 1] == 0xD9;
}

}  // namespace

bool is_jpeg(std::span<const std::uint8_t> file) {
    return file.size() >= 3 && file[0] == 0xFF && file[1] == 0xD8 && file[2] == 0xFF;
}

JpegReader::JpegReader(std::span<const std::uint8_t> file) : state_(std::make_unique<State>(file)) {
    State& state = *state_;
    state.attempt([&state, file] {
        jpeg_create_decompress(&state.codec);  // keeps err and client_data
        jpeg_mem_src(&state.codec, file.data(), static_cast<unsigned long>(file.size()));
        jpeg_read_header(&state.codec, TRUE);
    });
    state.codec.out_color_space = is_cmyk() ? JCS_CMYK : JCS_RGB;
    state.attempt([&state] { jpeg_calc_output_dimensions(&state.codec); });
}

JpegReader::~JpegReader() = default;

Extent JpegReader::extent() const { return {state_->codec.output_height, state_->codec.output_width}; }

// Transforms only the low frequencies of each block. False if chroma is subsampled in only one direction, because
// libjpeg would then subsample the shrunk picture's chroma as well.
bool JpegReader::shrink(int times) {
    State& state = *state_;
    if (state.codec.max_h_samp_factor != state.codec.max_v_samp_factor) {
        return false;
    }
    state.codec.scale_num = 1;
    state.codec.scale_denom = static_cast<unsigned>(times);
    state.attempt([&state] { jpeg_calc_output_dimensions(&state.codec); });
    return true;
}

bool JpegReader::is_grey() const { return state_->codec.jpeg_color_space == JCS_GRAYSCALE; }

bool JpegReader::is_cmyk() const {
    return state_->codec.jpeg_color_space == JCS_CMYK || state_->codec.jpeg_color_space == JCS_YCCK;
}

void JpegReader::read(std::uint8_t* rgb) {
    State& state = *state_;
    const std::size_t width = state.codec.output_width;
    std::vector<std::uint8_t> cmyk(is_cmyk() ? width * 4 : 0);
    state.attempt([&state, &cmyk, rgb, width] {
        jpeg_start_decompress(&state.codec);
        while (state.codec.output_scanline < state.codec.output_height) {
            std::uint8_t* const to = rgb + state.codec.output_scanline * width * 3;
            JSAMPROW row = cmyk.empty() ? to : cmyk.data();
            jpeg_read_scanlines(&state.codec, &row, 1);
            if (!cmyk.empty()) {
                cmyk_to_rgb(cmyk.data(), width, to);
            }
        }
        jpeg_finish_decompress(&state.codec);
    });
}

bool JpegReader::can_read_part() const { return is_complete(state_->file); }

std::string JpegReader::remark() const { return state_->remark; }

// Cuts the window out with the file's restart index, or by parsing the lengths of its codes, and decodes it. False if
// neither is possible or worthwhile.
bool JpegReader::read_cut_out(const Window& window, std::uint8_t* rgb) {
    if (state_->codec.scale_denom != state_->codec.scale_num) {
        return false;  // windows of a shrunk picture are not cut out
    }
    std::optional<CutOut> cut;
    try {
        cut = cut_out(state_->file, window);
    } catch (const IndexDoesNotFit& misfit) {
        state_->remark = misfit.what();
    }
    if (!cut) {
        cut = cut_out_of_scan(state_->file, window);
    }
    if (cut) {
        JpegReader(cut->file).read_rows(cut->window, rgb);
    }
    return cut.has_value();
}

void JpegReader::read_part(const Window& window, std::uint8_t* rgb) {
    if (!read_cut_out(window, rgb)) {
        read_rows(window, rgb);
    }
}

// Decodes kNeighbours more pixels on both sides, because chroma is interpolated between neighbours.
void JpegReader::read_rows(const Window& window, std::uint8_t* rgb) {
    State& state = *state_;
    const std::int64_t first = std::max<std::int64_t>(window.left - kNeighbours, 0);
    const std::int64_t end = std::min(window.left + window.extent.width + kNeighbours, extent().width);
    auto left = static_cast<JDIMENSION>(first);
    auto width = static_cast<JDIMENSION>(end - first);
    state.attempt([&state, &left, &width] {
        jpeg_start_decompress(&state.codec);
        jpeg_crop_scanline(&state.codec, &left, &width);  // moves `left` to the edge of a block
    });
    // libjpeg-turbo writes rows that begin at a multiple of 32 bytes past the caches. This row is copied next, so it
    // should be cached.
    constexpr std::size_t kBesideAlignment = 1;
    const bool cmyk = is_cmyk();
    std::vector<std::uint8_t> row(kBesideAlignment + width * pixel_bytes(state.codec));
    const std::size_t offset = (static_cast<std::size_t>(window.left) - left) * pixel_bytes(state.codec);
    const auto pixels = static_cast<std::size_t>(window.extent.width);
    state.attempt([&state, &window, &row, cmyk, offset, pixels, rgb] {
        jpeg_skip_scanlines(&state.codec, static_cast<JDIMENSION>(window.top));
        for (std::int64_t y = 0; y < window.extent.height; ++y) {
            JSAMPROW line = row.data() + kBesideAlignment;
            jpeg_read_scanlines(&state.codec, &line, 1);
            std::uint8_t* const to = rgb + static_cast<std::size_t>(y) * pixels * 3;
            if (cmyk) {
                cmyk_to_rgb(line + offset, pixels, to);
            } else {
                std::memcpy(to, line + offset, pixels * 3);
            }
        }
        jpeg_abort_decompress(&state.codec);
    });
}

}  // namespace sluice::transforms
