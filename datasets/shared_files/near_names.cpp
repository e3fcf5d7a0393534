#include "near_names.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <system_error>
#include <vector>

namespace sluice::shared_files {
namespace {

// Applies utf8proc `options`; returns the name unchanged if it is not UTF-8.
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

bool is_ascii(std::string_view name) {
    return std::ranges::all_of(name, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

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

std::filesystem::path near_path(const std::filesystem::path& missing) {
    namespace fs = std::filesystem;
    std::error_code problem;
    fs::path found = missing.is_absolute() ? "/" : "";
    for (const fs::path& part : missing.relative_path()) {
        if (fs::exists(found / part, problem)) {
            found /= part;
            continue;
        }
        std::vector<std::string> names;
        fs::directory_iterator entry(found.empty() ? "." : found, problem);
        for (; !problem && entry != fs::directory_iterator(); entry.increment(problem)) {
            names.push_back(entry->path().filename().string());
        }
        std::ranges::sort(names);
        const NearNames near(names);
        const std::string* const name = near.find(part.string());
        if (name == nullptr) {
            return {};
        }
        found /= *name;
    }
    return found == missing ? fs::path() : found;
}

std::string differ_in_form(std::span<const std::string> names) {
    const auto is_decomposed = [](const std::string& name) { return !is_ascii(name) && composed(name) != name; };
    if (std::ranges::none_of(names, is_decomposed)) {
        return {};
    }
    std::map<std::string, std::string> seen;  // composed form -> name
    for (const std::string& name : names) {
        if (is_ascii(name)) {
            continue;
        }
        for (std::size_t end = 0; end != name.size();) {
            end = std::min(name.find('/', end + 1), name.size());
            const std::string part = name.substr(0, end);
            const auto [known, is_new] = seen.emplace(composed(part), part);
            if (!is_new && known->second != part) {
                return "the names '" + known->second + "' and '" + part +
                       "' differ only in their Unicode form (NFC or NFD); they are read as two different ones";
            }
        }
    }
    return {};
}

std::string difference(std::string_view name, std::string_view near) {
    return composed(name) == composed(near) ? "in its Unicode form (NFC or NFD)" : "in letter case";
}

}  // namespace sluice::shared_files
