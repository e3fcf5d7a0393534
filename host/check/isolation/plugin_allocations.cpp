#include "check/isolation/plugin_allocations.hpp"

#include <dlfcn.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <mutex>
#include <new>
#include <unordered_map>

namespace sluice::check {
namespace {

constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();

// Globals, because the replacements of malloc() and its like get no context.
std::atomic<std::size_t> g_count = 0;
std::atomic<std::size_t> g_failing = kNever;

bool fails() noexcept { return g_count++ == g_failing; }

void* out_of_memory() noexcept {
    errno = ENOMEM;
    return nullptr;
}

struct Ledger {
    std::mutex mutex;
    std::unordered_map<void*, std::size_t> blocks;  // size in bytes of each address
    std::size_t bytes = 0;
};

// It is never destroyed, because threads may free memory until the end of the process.
Ledger& ledger() {
    static auto* const one = new Ledger();
    return *one;
}

// True while this thread changes the ledger, whose own allocations are not recorded.
constinit thread_local bool is_at_ledger = false;

template <class Use>
void with_ledger(const Use& use) noexcept {
    if (is_at_ledger) {
        return;
    }
    is_at_ledger = true;
    {
        const std::lock_guard lock(ledger().mutex);
        use(ledger());
    }
    is_at_ledger = false;
}

void* noted(void* block, std::size_t bytes) noexcept {
    if (block != nullptr) {
        with_ledger([&](Ledger& ledger) {
            ledger.blocks[block] = bytes;
            ledger.bytes += bytes;
        });
    }
    return block;
}

// Call this before a block is freed, because another thread may get the same address at once. Returns whether the block
// was recorded.
bool forget(void* block) noexcept {
    bool was_there = false;
    with_ledger([&](Ledger& ledger) {
        if (const auto found = ledger.blocks.find(block); found != ledger.blocks.end()) {
            ledger.bytes -= found->second;
            ledger.blocks.erase(found);
            was_there = true;
        }
    });
    return was_there;
}

// These are looked up by dlsym(), because calls by name are replaced in this program too.
const auto kFree = reinterpret_cast<void (*)(void*)>(::dlsym(RTLD_DEFAULT, "free"));
const auto kRealloc = reinterpret_cast<void* (*)(void*, std::size_t)>(::dlsym(RTLD_DEFAULT, "realloc"));

extern "C" {
void* plugin_malloc(std::size_t bytes) noexcept { return fails() ? out_of_memory() : noted(std::malloc(bytes), bytes); }
void* plugin_calloc(std::size_t count, std::size_t bytes) noexcept {
    return fails() ? out_of_memory() : noted(std::calloc(count, bytes), count * bytes);
}
void* plugin_realloc(void* block, std::size_t bytes) noexcept {
    if (fails()) {
        return out_of_memory();
    }
    forget(block);
    return noted(kRealloc(block, bytes), bytes);
}
void* plugin_aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
    return fails() ? out_of_memory() : noted(std::aligned_alloc(alignment, bytes), bytes);
}
int plugin_posix_memalign(void** block, std::size_t alignment, std::size_t bytes) noexcept {
    const int failed = fails() ? ENOMEM : ::posix_memalign(block, alignment, bytes);
    if (failed == 0) {
        noted(*block, bytes);
    }
    return failed;
}
char* plugin_strdup(const char* text) noexcept {
    return static_cast<char*>(fails() ? out_of_memory() : noted(::strdup(text), std::strlen(text) + 1));
}
void any_free(void* block) noexcept {
    forget(block);
    kFree(block);
}
// A block that the plugin passed to another library, as to getline(), still counts as the plugin's.
void* any_realloc(void* block, std::size_t bytes) noexcept {
    const bool is_of_plugin = forget(block);
    void* const moved = kRealloc(block, bytes);
    return is_of_plugin ? noted(moved, bytes) : moved;
}
}

void* plugin_new(std::size_t bytes) { return fails() ? throw std::bad_alloc() : noted(::operator new(bytes), bytes); }
void* plugin_aligned_new(std::size_t bytes, std::align_val_t alignment) {
    return fails() ? throw std::bad_alloc() : noted(::operator new(bytes, alignment), bytes);
}
void* plugin_quiet_new(std::size_t bytes, const std::nothrow_t& quiet) noexcept {
    return fails() ? nullptr : noted(::operator new(bytes, quiet), bytes);
}

const StandIns& stand_ins_of_plugin() {
    static const StandIns all{
        {"malloc", address_of(plugin_malloc)},
        {"calloc", address_of(plugin_calloc)},
        {"realloc", address_of(plugin_realloc)},
        {"aligned_alloc", address_of(plugin_aligned_alloc)},
        {"posix_memalign", address_of(plugin_posix_memalign)},
        {"strdup", address_of(plugin_strdup)},
        {"_Znwm", address_of(plugin_new)},  // operator new, as GCC and Clang mangle it on 64-bit machines
        {"_Znam", address_of(plugin_new)},
        {"_ZnwmSt11align_val_t", address_of(plugin_aligned_new)},
        {"_ZnamSt11align_val_t", address_of(plugin_aligned_new)},
        {"_ZnwmRKSt9nothrow_t", address_of(plugin_quiet_new)},
        {"_ZnamRKSt9nothrow_t", address_of(plugin_quiet_new)},
    };
    return all;
}

// operator delete calls free(), so it needs no replacement.
const StandIns& stand_ins_of_all() {
    static const StandIns all{{"free", address_of(any_free)}, {"realloc", address_of(any_realloc)}};
    return all;
}

}  // namespace

PluginAllocations::PluginAllocations(const void* address) {
    fail_none();
    replaced_.replace_everywhere(stand_ins_of_all());
    replaced_.replace_in_library_of(address, stand_ins_of_plugin());
}

PluginAllocations::~PluginAllocations() {
    with_ledger([](Ledger& ledger) {
        ledger.blocks.clear();
        ledger.bytes = 0;
    });
}

void PluginAllocations::fail_after(std::size_t others) {
    g_count = 0;
    g_failing = others;
}

void PluginAllocations::fail_none() { fail_after(kNever); }

std::size_t PluginAllocations::count() { return g_count; }

PluginAllocations::Held PluginAllocations::held() {
    Held now;
    with_ledger([&](const Ledger& ledger) { now = {ledger.blocks.size(), ledger.bytes}; });
    return now;
}

}  // namespace sluice::check
