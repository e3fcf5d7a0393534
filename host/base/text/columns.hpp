// Widths of texts on a terminal.
#pragma once

#include <string>
#include <string_view>

namespace sluice {

// Number of columns that a text in UTF-8 takes. Invalid bytes count as one each.
int columns_of(std::string_view text);
// Cuts the text after so many columns.
std::string cut(std::string_view text, int columns);

}  // namespace sluice
