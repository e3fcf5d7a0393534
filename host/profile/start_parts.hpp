// Divides the start of a process into parts, for a line of the log.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "profile/process_figures.hpp"

namespace sluice::profile {

class StartParts {
public:
    // The first part began when the process was started.
    StartParts() : began_(now() - seconds_since_start()) {}

    // A part ends here, and the next one begins. `name` must be a literal, because it is not copied.
    void end(std::string_view name);
    // "network 3.10 s, data 0.20 s": the longest first.
    [[nodiscard]] std::string text() const;

private:
    double began_;  // of the current part
    std::vector<std::pair<std::string_view, double>> parts_;
};

}  // namespace sluice::profile
