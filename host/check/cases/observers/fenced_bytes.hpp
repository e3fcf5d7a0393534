// Bytes that are followed by a page that cannot be read, so that reading on crashes.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <new>

namespace sluice::check {

class FencedBytes {
public:
    // The bytes are zero. Their address is a multiple of 8 if `size` is.
    explicit FencedBytes(std::size_t size) {
        const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
        const std::size_t readable = (size + page - 1) / page * page;
        mapped_ = readable + page;
        void* const memory = ::mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) {
            throw std::bad_alloc();
        }
        begin_ = static_cast<std::byte*>(memory);
        data_ = begin_ + readable - size;
        ::mprotect(begin_ + readable, page, PROT_NONE);
    }
    ~FencedBytes() { ::munmap(begin_, mapped_); }
    FencedBytes(const FencedBytes&) = delete;
    FencedBytes& operator=(const FencedBytes&) = delete;

    [[nodiscard]] std::byte* data() const { return data_; }

private:
    std::byte* begin_ = nullptr;
    std::byte* data_ = nullptr;
    std::size_t mapped_ = 0;
};

}  // namespace sluice::check
