// Logs a line once per process, however often the source is opened.
#pragma once

#include <string>

#include "sluice/sdk/host.hpp"

namespace sluice::shared_files {

// [any thread] Each plugin keeps its own set of lines.
void info_once(const sdk::Host& host, const std::string& message);
void warn_once(const sdk::Host& host, const std::string& message);

}  // namespace sluice::shared_files
