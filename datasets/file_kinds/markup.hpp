// Recognizes HTML and XML, which may begin with spaces and comments.
#pragma once

#include <string_view>

namespace sluice::file_kinds {

// "an HTML page (...)", "an XML document"; empty if it is neither.
std::string_view markup_kind(std::string_view begin);

}  // namespace sluice::file_kinds
