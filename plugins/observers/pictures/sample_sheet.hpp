// Sheets of samples: one row per sample, one column per tensor, and the error.
#pragma once

#include <cstdint>

#include "pictures/sheet.hpp"
#include "sluice/kind/observer.h"

namespace sluice::observers {

// samples: an event of kind SLUICE_EVENT_SAMPLES. Throws if it has no pictures, or some of another type than uint8.
Sheet sheet_of(const sluice_event& samples, std::int64_t most_rows);

}  // namespace sluice::observers
