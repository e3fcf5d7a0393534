// What `host check` prints: as text, or as JSON.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "check/findings/finding.hpp"

namespace sluice::cli {

using CheckCounts = std::array<std::size_t, 5>;  // by check::Result
CheckCounts count(std::span<const check::Finding> findings);
// "24 passed, 1 failed"
std::string to_text(const CheckCounts& counts);

// What stands in a finding's provider and place, by its name in JSON.
struct CheckWords {
    const char* provider;
    const char* place;
};
inline constexpr CheckWords kKernelWords{"provider", "place"};
inline constexpr CheckWords kContractWords{"kind", "case"};

// Prints what is found while the checks go on: a run that is cut has told what it saw.
class CheckPrinter {
public:
    virtual ~CheckPrinter() = default;
    // What will be checked: of each its component and its provider.
    virtual void begin(std::span<const std::pair<std::string, std::string>> checks) = 0;
    // What is being checked now: of a component, a case.
    virtual void begin_case(const std::string& component, const std::string& name) = 0;
    virtual void add(const check::Finding& finding) = 0;
    // Of one of those that begin() was told.
    virtual void end_check(std::span<const check::Finding> findings) = 0;
    virtual void end(const CheckCounts& counts) = 0;
};

// Which findings are told.
enum class Detail {
    faults,      // those that are worth it, below the line of their check
    findings,    // each as it comes, and the line of the check behind them
    everything,  // the same with the seconds of each, and why checks were skipped
};

// For each check a line. On a terminal the case that runs is shown besides.
std::unique_ptr<CheckPrinter> print_text(Detail detail);
// One object: what is checked, each finding on a line of its own, and how many of each result. Of a run that was cut,
// the lines can be read one by one.
std::unique_ptr<CheckPrinter> print_json(const CheckWords& words);

}  // namespace sluice::cli
