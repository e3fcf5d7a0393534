// libpng reports an error by calling a function that must not return: fail() jumps back to attempt(). A body passed to
// attempt() must therefore not create objects with destructors.
#pragma once

#include <png.h>

#include <array>
#include <csetjmp>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <type_traits>

namespace sluice::run {

class PngErrors {
public:
    // Runs `body`. Returns false if libpng reported an error; message() then describes it.
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
    // Returns the bytes of a block that libpng did not get; 0: it got all.
    [[nodiscard]] std::size_t refused() const { return refused_; }

    // Callbacks for png_create_read_struct() and png_create_write_struct(), with this object as the error pointer.
    [[noreturn]] static void fail(png_structp codec, png_const_charp what) {
        auto* const self = static_cast<PngErrors*>(png_get_error_ptr(codec));
        std::strncpy(self->message_.data(), what, self->message_.size() - 1);
        std::longjmp(self->escape_, 1);
    }
    static void ignore(png_structp /*codec*/, png_const_charp /*what*/) {}

    // Callbacks for png_create_write_struct_2(), with this object as the memory pointer.
    static png_voidp allocate(png_structp codec, png_alloc_size_t bytes) {
        void* const block = std::malloc(bytes);
        if (block == nullptr) {
            static_cast<PngErrors*>(png_get_mem_ptr(codec))->refused_ = bytes;
        }
        return block;
    }
    static void release(png_structp /*codec*/, png_voidp block) { std::free(block); }

private:
    std::jmp_buf escape_ = {};
    std::array<char, 200> message_ = {};
    std::size_t refused_ = 0;
};

}  // namespace sluice::run
