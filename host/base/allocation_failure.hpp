// Failed allocations of the heap, with the size of the block that was asked for.
#pragma once

#include <array>
#include <cstddef>
#include <exception>
#include <new>
#include <string>

namespace sluice {

// The operator new of the program throws it, also in plugins. Constructing it needs no memory.
class AllocationFailure : public std::bad_alloc {
public:
    explicit AllocationFailure(std::size_t bytes) noexcept;
    // Returns "out of memory: cannot allocate a block of 1.5 GiB".
    [[nodiscard]] const char* what() const noexcept override { return text_.data(); }

private:
    std::array<char, 80> text_{};
};

// Returns "out of memory: cannot allocate a block of 1.5 GiB; the process has limits of ulimit -v 1500000 (KiB of
// address space)". Size and limits are left out if they are unknown.
[[nodiscard]] std::string out_of_memory_text(const std::bad_alloc& failure);

// Returns the same without its beginning, "cannot allocate a block of 1.5 GiB", and what() of any other exception.
[[nodiscard]] std::string allocation_text(const std::exception& failure);

}  // namespace sluice
