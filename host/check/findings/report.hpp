// Receives the results of checks.
#pragma once

#include "check/findings/finding.hpp"

namespace sluice::check {

class Report {
public:
    virtual ~Report() = default;
    // Sets the finding that is reported if the process crashes, hangs or exits early from now on. Which of them it
    // was is added to the reason.
    virtual void begin(const Finding& next) = 0;
    virtual void add(const Finding& finding) = 0;
};

}  // namespace sluice::check
