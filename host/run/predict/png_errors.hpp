// libpng reports an error by calling a function that must not return: ours jumps back to attempt(). What is passed to
// attempt() therefore has no objects with destructors of its own.
#pragma once

#include <png.h>

#include <array>
#include <csetjmp>
#include <cstring>
#include <type_traits>

namespace sluice::run {

class PngErrors {
public:
    // False if libpng has found an error; message() then says which.
    template <class Body>
    [[nodiscard]] bool attempt(const Body& body) {
        static_assert(std::is_trivially_destructible_v<Body>);
        if (setjmp(escape_) != 0) {
            return false;
        }
        body();
        return true;
    }
    [[nodiscard]] const char* message() const { return message_.data(); }

    // For png_create_read_struct() and png_create_write_struct(), with this object as the pointer for errors.
    [[noreturn]] static void fail(png_structp codec, png_const_charp what) {
        auto* const self = static_cast<PngErrors*>(png_get_error_ptr(codec));
        std::strncpy(self->message_.data(), what, self->message_.size() - 1);
        std::longjmp(self->escape_, 1);
    }
    static void ignore(png_structp /*codec*/, png_const_charp /*what*/) {}

private:
    std::jmp_buf escape_ = {};
    std::array<char, 200> message_ = {};
};

}  // namespace sluice::run
