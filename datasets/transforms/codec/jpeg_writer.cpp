#include "codec/jpeg_writer.hpp"

#include <array>
#include <csetjmp>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <type_traits>

// After cstddef and cstdio, whose names it uses.
#include <jpeglib.h>

#include "sluice/sdk/guard.hpp"

namespace sluice::transforms {

// Errors as in JpegReader: libjpeg's end in a jump to `escape`.
struct JpegWriter::State {
    jpeg_compress_struct codec = {};
    jpeg_error_mgr errors = {};
    std::jmp_buf escape = {};
    std::array<char, JMSG_LENGTH_MAX> message = {};
    unsigned char* file = nullptr;  // libjpeg allocates it
    unsigned long size = 0;

    State() {
        codec.err = jpeg_std_error(&errors);
        codec.client_data = this;
        errors.error_exit = fail;
        errors.emit_message = [](j_common_ptr, int) {};
    }
    ~State() {
        jpeg_destroy_compress(&codec);
        std::free(file);
    }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    template <class Body>
    void attempt(Body body) {
        static_assert(std::is_trivially_destructible_v<Body>);
        if (setjmp(escape) != 0) {
            jpeg_abort_compress(&codec);
            throw sdk::Failure(SLUICE_BAD_SAMPLE,
                               "the picture cannot be made a JPEG file: " + std::string(message.data()));
        }
        body();
    }

    [[noreturn]] static void fail(j_common_ptr codec) {
        auto* self = static_cast<State*>(codec->client_data);
        codec->err->format_message(codec, self->message.data());
        std::longjmp(self->escape, 1);
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
