#include "registry/loading/plugin_code.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>
#include <ucontext.h>
#include <unwind.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <deque>
#include <span>
#include <string>
#include <vector>

namespace sluice::registry {
namespace {

struct Segment {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    std::string_view plugin;
};

// A signal handler can reach only static memory. Plugins beyond its 512 segments are not named.
constinit std::array<Segment, 512> segments{};
constinit std::atomic<std::size_t> segment_count = 0;

// Never destroyed, because the libraries stay loaded until the process exits.
std::deque<std::string>& plugin_names() {
    static auto* const names = new std::deque<std::string>();
    return *names;
}

bool holds(const Segment& segment, std::uintptr_t address) { return segment.begin <= address && address < segment.end; }

struct Search {
    std::uintptr_t address = 0;
    std::vector<Segment> code;
};

// The place where a signal interrupted a thread; zeros on an unknown machine.
struct Place {
    std::uintptr_t instruction = 0;
    std::uintptr_t return_address = 0;  // valid if `instruction` is the first of its function
};

Place place_of(const void* context) {
    [[maybe_unused]] const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
    const auto* const stack =
        reinterpret_cast<const std::uintptr_t*>(machine.gregs[REG_RSP]);  // NOLINT(performance-no-int-to-ptr)
    return {static_cast<std::uintptr_t>(machine.gregs[REG_RIP]), *stack};
#elif defined(__aarch64__)
    return {machine.pc, machine.regs[30]};
#else
    return {};
#endif
}

// Start address of the library or program that contains `address`; null if there is none.
const void* library_at(std::uintptr_t address) {
    dl_find_object library;
    void* const place = reinterpret_cast<void*>(address);  // NOLINT(performance-no-int-to-ptr)
    return ::_dl_find_object(place, &library) == 0 ? library.dlfo_map_start : nullptr;
}

// Collects the code segments of each library; returns 1 to stop at the one that contains the address.
int look_at_library(dl_phdr_info* library, std::size_t, void* search) {
    auto& [address, code] = *static_cast<Search*>(search);
    bool is_here = false;
    code.clear();
    for (const auto& header : std::span(library->dlpi_phdr, library->dlpi_phnum)) {
        if (header.p_type == PT_LOAD) {
            const std::uintptr_t begin = library->dlpi_addr + header.p_vaddr;
            const Segment range{begin, begin + header.p_memsz, {}};
            is_here = is_here || holds(range, address);
            if ((header.p_flags & PF_X) != 0) {
                code.push_back(range);
            }
        }
    }
    return is_here ? 1 : 0;
}

}  // namespace

void note_code(const void* address, const PluginManifest& manifest) {
    Search search{reinterpret_cast<std::uintptr_t>(address), {}};
    if (::dl_iterate_phdr(look_at_library, &search) == 0 || search.code.empty() ||
        !owner_of_code(search.code.front().begin).empty()) {
        return;
    }
    const std::string_view plugin = plugin_names().emplace_back(fmt::format("{} {}", manifest.id, manifest.version));
    for (const Segment& segment : search.code) {
        const std::size_t place = segment_count;
        if (place < segments.size()) {
            segments[place] = {segment.begin, segment.end, plugin};
            segment_count.store(place + 1, std::memory_order_release);
        }
    }
}

bool is_own_code(std::uintptr_t address) {
    return library_at(address) == library_at(reinterpret_cast<std::uintptr_t>(&is_own_code));
}

std::string_view owner_of_frames() {
    std::string_view plugin;
    const auto look = [](_Unwind_Context* frame, void* found) {
        // The address after a call may lie outside of the function, so look at the call itself.
        const std::string_view owner = owner_of_code(::_Unwind_GetIP(frame) - 1);
        *static_cast<std::string_view*>(found) = owner;
        return owner.empty() ? _URC_NO_REASON : _URC_END_OF_STACK;
    };
    ::_Unwind_Backtrace(look, &plugin);
    return plugin;
}

std::string_view owner_of_interrupted(const void* context) {
    const Place place = place_of(context);
    if (const std::string_view owner = owner_of_code(place.instruction); !owner.empty()) {
        return owner;
    }
    // The stack cannot be unwound from an address without code.
    return library_at(place.instruction) != nullptr ? owner_of_frames() : owner_of_code(place.return_address - 1);
}

std::string_view owner_of_code(std::uintptr_t address) {
    const auto noted = std::span(segments).first(segment_count.load(std::memory_order_acquire));
    const auto found = std::ranges::find_if(noted, [&](const Segment& segment) { return holds(segment, address); });
    return found == noted.end() ? std::string_view() : found->plugin;
}

}  // namespace sluice::registry
