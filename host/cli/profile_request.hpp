// Asks a live run to record a window, by the file RUN/profile-request, and waits for it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace sluice::cli {

struct WindowRequest {
    std::filesystem::path run;
    std::int64_t steps = 0;  // from 1 to run::kMostRequestedSteps
    double timeout = 0.0;    // seconds; 0: none
};

// Returns the file of the window, or nothing if a stop signal came before. Then, and if this fails, the request is
// withdrawn, unless the run has taken it. Throws Error(Exit::config) if no run is alive in the folder, if it ends
// before the window is written, at the timeout, and if another request waits.
std::optional<std::filesystem::path> record_window(const WindowRequest& request);

}  // namespace sluice::cli
