// Files that are embedded in the program: the style and the script of pages, and the library that draws charts.
#pragma once

#include <string>
#include <string_view>

namespace sluice::report::assets {

std::string_view style();
std::string_view script();
// Chart.js, with its notice of copyright and licence.
std::string chart_library();

}  // namespace sluice::report::assets
