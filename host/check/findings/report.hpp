// Where the results of checks go.
#pragma once

#include "check/findings/finding.hpp"

namespace sluice::check {

class Report {
public:
    virtual ~Report() = default;
    // What would be reported if the process ended now, all but the reason.
    virtual void begin(const Finding& next) = 0;
    virtual void add(const Finding& finding) = 0;
};

}  // namespace sluice::check
