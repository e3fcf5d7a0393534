#include "check/failing_allocations.hpp"

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <new>
#include <span>
#include <string_view>

namespace sluice::check {
namespace {

constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();

// Of the process, as the functions that stand in for malloc() get no context.
std::atomic<std::size_t> g_count = 0;
std::atomic<std::size_t> g_failing = kNever;

bool fails() noexcept { return g_count++ == g_failing; }

void* out_of_memory() noexcept {
    errno = ENOMEM;
    return nullptr;
}

extern "C" {
void* failing_malloc(std::size_t bytes) noexcept { return fails() ? out_of_memory() : std::malloc(bytes); }
void* failing_calloc(std::size_t count, std::size_t bytes) noexcept {
    return fails() ? out_of_memory() : std::calloc(count, bytes);
}
void* failing_realloc(void* block, std::size_t bytes) noexcept {
    return fails() ? out_of_memory() : std::realloc(block, bytes);
}
void* failing_aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
    return fails() ? out_of_memory() : std::aligned_alloc(alignment, bytes);
}
int failing_posix_memalign(void** block, std::size_t alignment, std::size_t bytes) noexcept {
    return fails() ? ENOMEM : ::posix_memalign(block, alignment, bytes);
}
char* failing_strdup(const char* text) noexcept {
    return fails() ? static_cast<char*>(out_of_memory()) : ::strdup(text);
}
}

void* failing_new(std::size_t bytes) { return fails() ? throw std::bad_alloc() : ::operator new(bytes); }
void* failing_aligned_new(std::size_t bytes, std::align_val_t alignment) {
    return fails() ? throw std::bad_alloc() : ::operator new(bytes, alignment);
}
void* failing_quiet_new(std::size_t bytes, const std::nothrow_t& quiet) noexcept {
    return fails() ? nullptr : ::operator new(bytes, quiet);
}

template <class Function>
void* address_of(Function* function) {
    return reinterpret_cast<void*>(function);
}

// By the names that a library refers to them.
const std::map<std::string_view, void*>& stand_ins() {
    static const std::map<std::string_view, void*> all{
        {"malloc", address_of(failing_malloc)},
        {"calloc", address_of(failing_calloc)},
        {"realloc", address_of(failing_realloc)},
        {"aligned_alloc", address_of(failing_aligned_alloc)},
        {"posix_memalign", address_of(failing_posix_memalign)},
        {"strdup", address_of(failing_strdup)},
        {"_Znwm", address_of(failing_new)},  // of C++, as GCC and Clang name it on 64 bits
        {"_Znam", address_of(failing_new)},
        {"_ZnwmSt11align_val_t", address_of(failing_aligned_new)},
        {"_ZnamSt11align_val_t", address_of(failing_aligned_new)},
        {"_ZnwmRKSt9nothrow_t", address_of(failing_quiet_new)},
        {"_ZnamRKSt9nothrow_t", address_of(failing_quiet_new)},
    };
    return all;
}

// The loader tells addresses as numbers.
template <class T>
T* at_address(ElfW(Addr) address) {
    return reinterpret_cast<T*>(address);  // NOLINT(performance-no-int-to-ptr)
}

// What the loader has to do in a library: the tables of its dynamic section.
struct Relocations {
    std::span<const ElfW(Rela)> of_calls, others;
    const ElfW(Sym) * symbols = nullptr;
    const char* names = nullptr;
};

Relocations relocations_of(const link_map& library) {
    std::map<ElfW(Sxword), ElfW(Addr)> entries;
    for (const ElfW(Dyn)* entry = library.l_ld; entry->d_tag != DT_NULL; ++entry) {
        entries[entry->d_tag] = entry->d_un.d_val;
    }
    const auto table = [&](ElfW(Sxword) tag, ElfW(Sxword) size) -> std::span<const ElfW(Rela)> {
        return {at_address<const ElfW(Rela)>(entries[tag]), entries[size] / sizeof(ElfW(Rela))};
    };
    return {table(DT_JMPREL, DT_PLTRELSZ), table(DT_RELA, DT_RELASZ), at_address<const ElfW(Sym)>(entries[DT_SYMTAB]),
            at_address<const char>(entries[DT_STRTAB])};
}

// The loader may have taken the right to write there.
void write(void** at, void* value) {
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    void* const begin = reinterpret_cast<char*>(at) - reinterpret_cast<std::uintptr_t>(at) % page;
    if (::mprotect(begin, page, PROT_READ | PROT_WRITE) == 0) {
        *at = value;
    }
}

}  // namespace

FailingAllocations::FailingAllocations(const void* address) {
    Dl_info info{};
    link_map* library = nullptr;
    if (::dladdr1(address, &info, reinterpret_cast<void**>(&library), RTLD_DL_LINKMAP) == 0 || library == nullptr) {
        return;
    }
    fail_none();
    const Relocations relocations = relocations_of(*library);
    for (const auto& table : {relocations.of_calls, relocations.others}) {
        for (const ElfW(Rela) & one : table) {
            const char* const name = relocations.names + relocations.symbols[ELF64_R_SYM(one.r_info)].st_name;
            if (const auto found = stand_ins().find(name); found != stand_ins().end()) {
                auto** const at = at_address<void*>(library->l_addr + one.r_offset);
                slots_.push_back({at, *at});
                write(at, found->second);
            }
        }
    }
}

FailingAllocations::~FailingAllocations() {
    for (const Slot& slot : slots_) {
        write(slot.at, slot.before);
    }
}

void FailingAllocations::fail_after(std::size_t others) {
    g_count = 0;
    g_failing = others;
}

void FailingAllocations::fail_none() { fail_after(kNever); }

std::size_t FailingAllocations::count() { return g_count; }

}  // namespace sluice::check
