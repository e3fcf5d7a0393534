// The chapter of a run's page that shows its diagnosis, from the file diagnosis.json that `host diagnose RUN` writes.
#pragma once

#include <filesystem>

#include "report/page.hpp"

namespace sluice::report {

// Empty if the run was not diagnosed. A file that cannot be read is named in the note.
Section diagnosis_section(const std::filesystem::path& run);

}  // namespace sluice::report
