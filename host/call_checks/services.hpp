// Host services for plugins whose calls are checked. A call from inside supports() is noted as a breach.
#pragma once

#include "sluice/host.h"

namespace sluice::call_checks {

// Used instead of registry::get_service. Returns NULL for an unknown id.
const void* get_service(const sluice_host* host, const char* id) noexcept;

}  // namespace sluice::call_checks
