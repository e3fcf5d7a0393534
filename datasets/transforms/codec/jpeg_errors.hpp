// Handles the errors of libjpeg, which reports them by calling a function that must not return. Private to this folder.
#pragma once

#include <array>
#include <csetjmp>
#include <cstddef>
#include <cstdio>
#include <string>
#include <type_traits>

// After cstddef and cstdio, whose names they use.
#include <jpeglib.h>

#include <jerror.h>

#include "sluice/sdk/guard.hpp"

namespace sluice::transforms {

class JpegErrors {
public:
    // Makes errors of the codec leave attempt(). A reader's warnings do so too if they mean lost data.
    template <class Codec>
    void serve(Codec& codec) {
        codec.err = jpeg_std_error(&manager_);
        codec.client_data = this;
        manager_.error_exit = fail;
        manager_.emit_message = judge;
    }

    // False if `body` failed; message() has the reason. The longjmp() skips only frames of libjpeg and of bodies
    // without destructors.
    template <class Body>
    bool attempt(Body body) {
        static_assert(std::is_trivially_destructible_v<Body>);
        if (setjmp(escape_) != 0) {
            return false;
        }
        body();
        return true;
    }

    // Throws the failure of attempt(): SLUICE_NO_MEMORY or, with the verdict on the file or picture, SLUICE_BAD_SAMPLE.
    [[noreturn]] void raise(const std::string& verdict) const {
        const std::string reason = message_.data();
        throw lacks_memory_ ? sdk::Failure(SLUICE_NO_MEMORY, "out of memory in libjpeg: " + reason)
                            : sdk::Failure(SLUICE_BAD_SAMPLE, verdict + ": " + reason);
    }
    // True if the failure of attempt() says nothing about the file.
    [[nodiscard]] bool lacks_memory() const { return lacks_memory_; }

private:
    [[noreturn]] static void fail(j_common_ptr codec) {
        auto* self = static_cast<JpegErrors*>(codec->client_data);
        codec->err->format_message(codec, self->message_.data());
        self->lacks_memory_ = codec->err->msg_code == JERR_OUT_OF_MEMORY;
        std::longjmp(self->escape_, 1);
    }

    // All warnings (level -1) mean lost data, except for three.
    static void judge(j_common_ptr codec, int level) {
        const int code = codec->err->msg_code;
        const bool is_harmless = code == JWRN_EXTRANEOUS_DATA || code == JWRN_JFIF_MAJOR || code == JWRN_ADOBE_XFORM;
        if (level < 0 && !is_harmless && codec->is_decompressor != FALSE) {
            fail(codec);
        }
    }

    jpeg_error_mgr manager_ = {};
    std::jmp_buf escape_ = {};
    std::array<char, JMSG_LENGTH_MAX> message_ = {};
    bool lacks_memory_ = false;
};

}  // namespace sluice::transforms
