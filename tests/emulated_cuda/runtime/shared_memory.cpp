#include "shared_memory.hpp"

#include <link.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>

namespace emulated {
namespace {

// The range of the thread-local variables of a library or program, relative to one of them.
struct Range {
    const char* anchor;
    std::ptrdiff_t before = 0;
    std::size_t bytes = 0;
};

int look(dl_phdr_info* info, std::size_t /*size*/, void* found) {
    Range& range = *static_cast<Range*>(found);
    const auto* const begin = static_cast<const char*>(info->dlpi_tls_data);
    for (int i = 0; begin != nullptr && i < info->dlpi_phnum; ++i) {
        const std::size_t bytes = info->dlpi_phdr[i].p_memsz;
        if (info->dlpi_phdr[i].p_type == PT_TLS && range.anchor >= begin && range.anchor < begin + bytes) {
            range = {range.anchor, range.anchor - begin, bytes};
            return 1;
        }
    }
    return 0;
}

Range find_range(char* anchor) {
    *anchor = 1;  // this access makes the thread allocate the variables
    Range range{anchor};
    ::dl_iterate_phdr(look, &range);
    return range;
}

}  // namespace

void poison_shared_memory(SharedMemory memory) {
    static std::map<SharedMemory, Range> ranges;
    char* const anchor = memory();
    const auto found = ranges.find(memory);
    const Range& range =
        found != ranges.end() ? found->second : ranges.emplace(memory, find_range(anchor)).first->second;
    std::memset(anchor - range.before, 0xFF, range.bytes);
}

}  // namespace emulated
