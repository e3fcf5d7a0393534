#include "codec/jpeg_writer.hpp"

#include <cstdlib>

#include "codec/jpeg_errors.hpp"
#include "sluice/sdk/guard.hpp"

namespace sluice::transforms {

struct JpegWriter::State {
    jpeg_compress_struct codec = {};
    JpegErrors errors;
    unsigned char* file = nullptr;  // libjpeg allocates it
    unsigned long size = 0;

    State() { errors.serve(codec); }
    ~State() {
        jpeg_destroy_compress(&codec);
        std::free(file);
    }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    template <class Body>
    void attempt(Body body) {
        if (!errors.attempt(body)) {
            jpeg_abort_compress(&codec);
            errors.raise("the picture cannot be encoded as JPEG");
        }
    }

    // Within attempt().
    void configure(const Picture& rgb, const JpegQuality& quality) {
        codec.image_height = static_cast<JDIMENSION>(rgb.extent.height);
        codec.image_width = static_cast<JDIMENSION>(rgb.extent.width);
        codec.input_components = 3;
        codec.in_color_space = JCS_RGB;
        jpeg_set_defaults(&codec);
        jpeg_set_quality(&codec, quality.quality, TRUE);
        codec.comp_info[0].h_samp_factor = quality.across;
        codec.comp_info[0].v_samp_factor = quality.down;
    }
};

JpegWriter::JpegWriter() : state_(std::make_unique<State>()) {
    State& state = *state_;
    state.attempt([&state] { jpeg_create_compress(&state.codec); });  // keeps err and client_data
}

JpegWriter::~JpegWriter() = default;

std::span<const std::uint8_t> JpegWriter::write(const Picture& rgb, const JpegQuality& quality) {
    State& state = *state_;
    std::free(state.file);
    state.file = nullptr;
    state.size = 0;
    state.attempt([&state, &rgb, &quality] {
        jpeg_mem_dest(&state.codec, &state.file, &state.size);
        state.configure(rgb, quality);
        jpeg_start_compress(&state.codec, TRUE);
        while (state.codec.next_scanline < state.codec.image_height) {
            auto* row = const_cast<JSAMPROW>(rgb.bytes + state.codec.next_scanline * rgb.row_bytes());
            jpeg_write_scanlines(&state.codec, &row, 1);
        }
        jpeg_finish_compress(&state.codec);
    });
    return {state.file, state.size};
}

}  // namespace sluice::transforms
