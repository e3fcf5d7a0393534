// Lines about data that are logged once in a process, however often their source is opened.
#pragma once

#include <string>

#include "sluice/sdk/host.hpp"

namespace sluice::shared_files {

// For any thread. Each plugin keeps its own lines.
void info_once(const sdk::Host& host, const std::string& message);
void warn_once(const sdk::Host& host, const std::string& message);

}  // namespace sluice::shared_files
