// Prints the results of `host check` as text or as JSON.
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

// JSON names of a finding's `provider` and `place`, which differ between kernel and contract checks.
struct CheckWords {
    const char* provider;
    const char* place;
};
inline constexpr CheckWords kKernelWords{"provider", "place"};
inline constexpr CheckWords kContractWords{"kind", "case"};

// Prints each finding when it comes, so that an interrupted run has printed what it found.
class CheckPrinter {
public:
    virtual ~CheckPrinter() = default;
    // Announces all checks, each with its component and its provider or kind.
    virtual void begin(std::span<const std::pair<std::string, std::string>> checks) = 0;
    // Announces the case of a component that runs next.
    virtual void begin_case(const std::string& component, const std::string& name) = 0;
    virtual void add(const check::Finding& finding) = 0;
    // Ends one of the checks that begin() announced; `findings` are all that it found.
    virtual void end_check(std::span<const check::Finding> findings) = 0;
    virtual void end(const CheckCounts& counts) = 0;
};

// Selects the findings that are printed.
enum class Detail {
    faults,      // failures and warnings, below the line of their check
    findings,    // each as it comes, then the line of its check
    everything,  // as `findings`, with the seconds of each and the reason of each skip
};

// Prints one line for each check. A terminal also shows the running case.
std::unique_ptr<CheckPrinter> print_text(Detail detail);
// Prints one object: the checks, each finding on a line of its own, and the count of each result. The lines of an
// interrupted run can be parsed one by one.
std::unique_ptr<CheckPrinter> print_json(const CheckWords& words);

}  // namespace sluice::cli
