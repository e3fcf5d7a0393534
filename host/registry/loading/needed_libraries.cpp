#include "registry/loading/needed_libraries.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <string_view>

namespace sluice::registry {
namespace {

namespace fs = std::filesystem;

// The DT_NEEDED entries of a library: file names, rarely with a folder.
std::vector<std::string_view> names_in(const link_map& library) {
    const char* text = nullptr;
    for (const ElfW(Dyn)* entry = library.l_ld; entry->d_tag != DT_NULL; ++entry) {
        if (entry->d_tag == DT_STRTAB) {
            text = reinterpret_cast<const char*>(entry->d_un.d_ptr);  // NOLINT(performance-no-int-to-ptr)
        }
    }
    std::vector<std::string_view> names;
    for (const ElfW(Dyn)* entry = library.l_ld; text != nullptr && entry->d_tag != DT_NULL; ++entry) {
        if (entry->d_tag == DT_NEEDED) {
            names.emplace_back(text + entry->d_un.d_val);
        }
    }
    return names;
}

// Returns null if the library was loaded under another name, such as one with a version suffix.
const link_map* loaded_as(std::string_view name, const link_map& any) {
    const link_map* library = &any;
    while (library->l_prev != nullptr) {
        library = library->l_prev;
    }
    const auto is_it = [&](std::string_view path) { return path == name || path.substr(path.rfind('/') + 1) == name; };
    while (library != nullptr && !is_it(library->l_name)) {
        library = library->l_next;
    }
    return library;
}

}  // namespace

std::vector<fs::path> needed_libraries(const fs::path& plugin) {
    std::vector<fs::path> files;
    void* const handle = ::dlopen(plugin.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    link_map* first = nullptr;
    if (handle == nullptr || ::dlinfo(handle, RTLD_DI_LINKMAP, static_cast<void*>(&first)) != 0) {
        return files;
    }
    std::vector<const link_map*> all{first};
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (const std::string_view name : names_in(*all[i])) {
            const link_map* const library = loaded_as(name, *first);
            if (library != nullptr && std::ranges::count(all, library) == 0) {
                all.push_back(library);
                files.emplace_back(library->l_name);
            }
        }
    }
    ::dlclose(handle);
    return files;
}

}  // namespace sluice::registry
