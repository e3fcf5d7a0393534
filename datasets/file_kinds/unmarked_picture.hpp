// Recognizes pictures without unique magic bytes by their whole header.
#pragma once

#include <string_view>

namespace sluice::file_kinds {

// "a TGA picture"; empty if it is none of these kinds.
std::string_view unmarked_picture(std::string_view begin);

}  // namespace sluice::file_kinds
