// The services of the host as a plugin gets them while its calls are checked: where it may not call them, that is
// noted.
#pragma once

#include "sluice/host.h"

namespace sluice::registry::checked {

// In place of PluginHost's; the id is one that this host knows, or the answer is NULL.
const void* get_service(const sluice_host* host, const char* id) noexcept;

}  // namespace sluice::registry::checked
