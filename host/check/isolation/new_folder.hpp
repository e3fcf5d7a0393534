// Makes a folder that nobody else uses. The caller removes it.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "base/error.hpp"

namespace sluice::check {

// The folder is in `parent`, and its name starts with `beginning`. Throws Error(Exit::save) if it cannot be made.
inline std::filesystem::path new_folder(const std::filesystem::path& parent, const std::string& beginning) {
    const std::string letters_to_replace(6, 'X');  // mkdtemp() needs six
    std::string name = (parent / (beginning + letters_to_replace)).string();
    if (::mkdtemp(name.data()) == nullptr) {
        const std::string reason = std::error_code(errno, std::generic_category()).message();
        throw Error(Exit::save, "cannot make a folder for checks in " + parent.string() + ": " + reason);
    }
    return name;
}

}  // namespace sluice::check
