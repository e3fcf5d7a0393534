#include "symbol_name.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <unordered_map>
#include <vector>

namespace emulated {
namespace {

std::vector<char> read_file(const char* path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

template <class T>
const T* at(const std::vector<char>& file, std::uint64_t offset) {
    return reinterpret_cast<const T*>(file.data() + offset);
}

using Symbols = std::unordered_map<std::uint64_t, std::string>;  // by offset from the first byte of the loaded library

Symbols read_symbols(const std::vector<char>& file) {
    Symbols found;
    if (file.size() < sizeof(Elf64_Ehdr)) {
        return found;
    }
    const auto* const header = at<Elf64_Ehdr>(file, 0);
    const auto* const sections = at<Elf64_Shdr>(file, header->e_shoff);
    for (int i = 0; i < header->e_shnum; ++i) {
        if (sections[i].sh_type != SHT_SYMTAB) {
            continue;
        }
        const auto* const symbols = at<Elf64_Sym>(file, sections[i].sh_offset);
        const char* const names = at<char>(file, sections[sections[i].sh_link].sh_offset);
        for (std::uint64_t k = 0; k < sections[i].sh_size / sizeof(Elf64_Sym); ++k) {
            if (ELF64_ST_TYPE(symbols[k].st_info) == STT_FUNC) {
                found.emplace(symbols[k].st_value, names + symbols[k].st_name);
            }
        }
    }
    return found;
}

// Each library is read once. Threads of several GPUs may fail at the same time.
std::string find_symbol(const char* library, std::uint64_t offset) {
    static std::mutex guard;
    static auto& all = *new std::map<std::string, Symbols>;
    const std::lock_guard lock(guard);
    const auto known = all.find(library);
    const Symbols& symbols =
        known != all.end() ? known->second : all.emplace(library, read_symbols(read_file(library))).first->second;
    const auto symbol = symbols.find(offset);
    return symbol != symbols.end() ? symbol->second : "";
}

}  // namespace

std::string symbol_name(const void* address) {
    Dl_info library{};
    if (::dladdr(address, &library) != 0 && library.dli_fname != nullptr) {
        const auto offset =
            static_cast<std::uint64_t>(static_cast<const char*>(address) - static_cast<const char*>(library.dli_fbase));
        const std::string mangled = find_symbol(library.dli_fname, offset);
        int status = 0;
        const std::unique_ptr<char, void (*)(void*)> plain(
            abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), &std::free);
        if (!mangled.empty()) {
            return plain ? plain.get() : mangled;
        }
    }
    std::ostringstream text;
    text << address;
    return text.str();
}

}  // namespace emulated
