// Creates a new folder in the system's folder for temporary files. The caller removes it.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>
#include <system_error>

namespace sluice {

inline std::filesystem::path make_temporary_folder() {
    const std::string letters_to_replace(6, 'X');  // the number that mkdtemp() needs
    std::string name = (std::filesystem::temp_directory_path() / ("sluice_test_" + letters_to_replace)).string();
    if (::mkdtemp(name.data()) == nullptr) {
        throw std::system_error(errno, std::generic_category(), name);
    }
    return name;
}

}  // namespace sluice
