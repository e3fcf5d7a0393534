// report.html in a run's folder: the page of the run as one file.
#pragma once

#include <cstdint>

#include "history/run_record.hpp"

namespace sluice::report {

// Writes RUN/report.html from what the record holds. It embeds some sheets of pictures, of at most `picture_bytes` in
// all. Throws Error(Exit::save).
void write_report(const history::RunRecord& run, std::uintmax_t picture_bytes = 4'000'000);

}  // namespace sluice::report
