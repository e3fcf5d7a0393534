// Reads usage.csv, which a run writes once a second.
#pragma once

#include <string>

#include "profile/growth.hpp"

namespace sluice::profile {

// Takes the columns "seconds", "resident_bytes" and, if there is one, "step". Columns may be in any order. A last line
// that was cut off is left out, and so is each line without numbers in these columns. Returns an empty series if a
// column is missing. After a resume, the time starts over; only the lines since then count.
MemorySeries read_memory_series(const std::string& csv);

}  // namespace sluice::profile
