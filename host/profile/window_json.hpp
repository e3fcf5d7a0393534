// The text of a window in its file, RUN/profile/steps-000020-000024.json.
#pragma once

#include <string>

#include "profile/window.hpp"

namespace sluice::profile {

// Spans and points are written column by column, which keeps a window of many spans small. Times are nanoseconds.
std::string to_json(const Window& window);
// `file` is named in errors. Throws Error(Exit::config) if the text is not that of a window.
Window parse_window(const std::string& text, const std::string& file);

}  // namespace sluice::profile
