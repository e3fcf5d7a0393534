// Pictures without a mark that no other file begins with: they are known by their whole head.
#pragma once

#include <string_view>

namespace sluice::file_kinds {

// "a TGA picture"; empty if it is none of them.
std::string_view unmarked_picture(std::string_view begin);

}  // namespace sluice::file_kinds
