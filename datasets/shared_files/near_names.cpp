#include "near_names.hpp"

#include <utf8proc.h>

#include <cstdlib>
#include <memory>

namespace sluice::shared_files {
namespace {

// The name as it is if it is not UTF-8.
std::string mapped(std::string_view name, int options) {
    utf8proc_uint8_t* text = nullptr;
    const utf8proc_ssize_t bytes =
        utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(name.data()), static_cast<utf8proc_ssize_t>(name.size()),
                     &text, static_cast<utf8proc_option_t>(options));
    const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owned(text, std::free);
    return bytes < 0 ? std::string(name)
                     : std::string(reinterpret_cast<const char*>(text), static_cast<std::size_t>(bytes));
}

std::string composed(std::string_view name) { return mapped(name, UTF8PROC_STABLE | UTF8PROC_COMPOSE); }

}  // namespace

std::string folded(std::string_view name) {
    return mapped(name, UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD);
}

NearNames::NearNames(std::span<const std::string> names) {
    for (const std::string& name : names) {
        names_.emplace(folded(name), name);
    }
}

const std::string* NearNames::find(std::string_view name) const {
    const auto found = names_.find(folded(name));
    return found == names_.end() ? nullptr : &found->second;
}

std::string difference(std::string_view name, std::string_view near) {
    return composed(name) == composed(near) ? "in its Unicode form (NFC or NFD)" : "in letter case";
}

}  // namespace sluice::shared_files
