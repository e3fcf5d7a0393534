// A folder that nobody else has; who asks for it removes it.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "base/error.hpp"

namespace sluice::check {

// In `parent`; its name begins so. Throws Error(Exit::save).
inline std::filesystem::path new_folder(const std::filesystem::path& parent, const std::string& beginning) {
    const std::string letters_to_replace(6, 'X');  // as many as mkdtemp() asks for
    std::string name = (parent / (beginning + letters_to_replace)).string();
    if (::mkdtemp(name.data()) == nullptr) {
        const std::string reason = std::error_code(errno, std::generic_category()).message();
        throw Error(Exit::save, "cannot make a folder for checks in " + parent.string() + ": " + reason);
    }
    return name;
}

}  // namespace sluice::check
