// The host name of this machine.
#pragma once

#include <string>

namespace sluice {

[[nodiscard]] std::string host_name();

}  // namespace sluice
