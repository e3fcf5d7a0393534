#include "base/temporary_folder.hpp"

#include <stdlib.h>

#include <cerrno>
#include <system_error>

#include "base/error.hpp"

namespace sluice {

std::filesystem::path new_folder(const std::filesystem::path& parent, const std::string& beginning) {
    const std::string letters_to_replace(6, 'X');  // mkdtemp() needs six
    std::string name = (parent / (beginning + letters_to_replace)).string();
    if (::mkdtemp(name.data()) == nullptr) {
        const std::string reason = std::error_code(errno, std::generic_category()).message();
        throw Error(Exit::save, "cannot make a temporary folder in " + parent.string() + ": " + reason);
    }
    return name;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code none;
    std::filesystem::remove_all(path_, none);
}

}  // namespace sluice
