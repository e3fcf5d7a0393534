// What this machine calls itself.
#pragma once

#include <string>

namespace sluice {

[[nodiscard]] std::string host_name();

}  // namespace sluice
