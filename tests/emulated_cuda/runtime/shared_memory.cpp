#include "shared_memory.hpp"

#include <link.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace emulated {
namespace {

thread_local char anchor = 0;

// The thread-local variables of this library, or program, as seen from `anchor`.
struct Range {
    std::ptrdiff_t before = 0;
    std::size_t bytes = 0;
};

int look(dl_phdr_info* info, std::size_t /*size*/, void* found) {
    const auto* const begin = static_cast<const char*>(info->dlpi_tls_data);
    for (int i = 0; begin != nullptr && i < info->dlpi_phnum; ++i) {
        const std::size_t bytes = info->dlpi_phdr[i].p_memsz;
        if (info->dlpi_phdr[i].p_type == PT_TLS && &anchor >= begin && &anchor < begin + bytes) {
            *static_cast<Range*>(found) = {&anchor - begin, bytes};
            return 1;
        }
    }
    return 0;
}

Range find_range() {
    anchor = 1;  // from here on this thread has the variables
    Range range;
    ::dl_iterate_phdr(look, &range);
    return range;
}

}  // namespace

void poison_shared_memory() {
    static const Range range = find_range();
    std::memset(&anchor - range.before, 0xFF, range.bytes);
}

}  // namespace emulated
