// Interposes operator new: if an allocation fails, the exception names its size. Plugins and their libraries find these
// functions before those of libstdc++, whose operator delete passes the blocks to free(). The other forms of operator
// new, of arrays and those that do not throw, call these two.
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>

#include "base/allocation_failure.hpp"

namespace {

// Returns if a new-handler may have freed memory, as the standard asks; throws if there is none.
void ask_for_memory(std::size_t bytes) {
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) {
        throw sluice::AllocationFailure(bytes);
    }
    handler();
}

}  // namespace

void* operator new(std::size_t bytes) {
    for (;;) {
        if (void* const block = std::malloc(std::max<std::size_t>(bytes, 1))) {
            return block;
        }
        ask_for_memory(bytes);
    }
}

void* operator new(std::size_t bytes, std::align_val_t alignment) {
    const auto align = static_cast<std::size_t>(alignment);
    const std::size_t padded = (std::max<std::size_t>(bytes, 1) + align - 1) / align * align;
    for (;;) {
        if (void* const block = padded < bytes ? nullptr : std::aligned_alloc(align, padded)) {
            return block;
        }
        ask_for_memory(bytes);
    }
}
