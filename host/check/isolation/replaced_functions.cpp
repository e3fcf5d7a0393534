#include "check/isolation/replaced_functions.hpp"

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace sluice::check {
namespace {

// The loader gives addresses as numbers.
template <class T>
T* at_address(ElfW(Addr) address) {
    return reinterpret_cast<T*>(address);  // NOLINT(performance-no-int-to-ptr)
}

// The relocations of a library, from the tables of its dynamic section.
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

// Makes the page writable first, because the loader may have made it read-only.
void write(void** at, void* value) {
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    void* const begin = reinterpret_cast<char*>(at) - reinterpret_cast<std::uintptr_t>(at) % page;
    if (::mprotect(begin, page, PROT_READ | PROT_WRITE) == 0) {
        *at = value;
    }
}

}  // namespace

void ReplacedFunctions::replace_in_library_of(const void* address, const StandIns& stand_ins) {
    Dl_info info{};
    link_map* library = nullptr;
    if (::dladdr1(address, &info, reinterpret_cast<void**>(&library), RTLD_DL_LINKMAP) != 0 && library != nullptr) {
        replace_in(*library, stand_ins);
    }
}

void ReplacedFunctions::replace_everywhere(const StandIns& stand_ins) {
    void* const program = ::dlopen(nullptr, RTLD_NOW);  // the program stays loaded, so it is never closed
    link_map* library = nullptr;
    if (program != nullptr && ::dlinfo(program, RTLD_DI_LINKMAP, static_cast<void*>(&library)) == 0) {
        for (; library != nullptr; library = library->l_next) {
            replace_in(*library, stand_ins);
        }
    }
}

void ReplacedFunctions::replace_in(const link_map& library, const StandIns& stand_ins) {
    const Relocations relocations = relocations_of(library);
    for (const auto& table : {relocations.of_calls, relocations.others}) {
        for (const ElfW(Rela) & one : table) {
            const char* const name = relocations.names + relocations.symbols[ELF64_R_SYM(one.r_info)].st_name;
            if (const auto found = stand_ins.find(name); found != stand_ins.end()) {
                auto** const at = at_address<void*>(library.l_addr + one.r_offset);
                slots_.push_back({at, *at});
                write(at, found->second);
            }
        }
    }
}

ReplacedFunctions::~ReplacedFunctions() {
    for (auto slot = slots_.rbegin(); slot != slots_.rend(); ++slot) {
        write(slot->at, slot->before);
    }
}

}  // namespace sluice::check
