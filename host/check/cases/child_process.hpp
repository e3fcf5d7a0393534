// Runs a part of a case in a process of its own, without effects of other parts.
#pragma once

#include <string>

#include "base/error.hpp"
#include "call_checks/breach_report.hpp"
#include "call_checks/rules.hpp"
#include "check/contract/trial.hpp"
#include "check/isolation/isolated.hpp"

namespace sluice::check {

// Throws Broken if a checked call has broken a rule, because errors after it may follow from that. It ignores failures
// without a reason, which options.ends reports.
inline void throw_breach() {
    if (const auto breach = call_checks::take_breach(); breach && breach->rule != call_checks::Rule::no_reason) {
        throw Broken(breach->text);
    }
}

// Runs body(doing) in a process of its own. If it returns, the finding is `passed`, with the returned text as `reason`.
// If it throws Error, the finding is `warned`. The time limit is `limit_factor` times the limit of a case.
template <class Body>
Finding in_child_process(const Trial& trial, const Body& body, int limit_factor = 1) {
    Finding last;
    run_isolated(
        {}, {.limit = trial.limit() * limit_factor, .hint = ""},
        [&](Report& report) {
            Finding finding;
            const auto end = [&](Result result, const std::string& reason) {
                finding.result = result;
                finding.reason = reason;
                report.add(finding);
            };
            const auto doing = [&](const std::string& what) {
                finding.reason = what;
                report.begin(finding);
            };
            try {
                std::string result;
                try {
                    result = body(doing);
                } catch (const std::exception&) {
                    throw_breach();
                    throw;
                }
                throw_breach();
                end(Result::passed, result);
            } catch (const CaseSkipped& why) {
                end(Result::skipped, why.what());
            } catch (const Error& error) {
                end(Result::warned, error.what());
            } catch (const std::exception& error) {
                end(Result::failed, error.what());
            }
        },
        [&](const Finding& finding) { last = finding; });
    return last;
}

// Returns the reason of a finding that passed. Throws CaseSkipped if it was skipped, else Broken.
inline std::string expect_passed(const Finding& finding) {
    if (finding.result == Result::skipped) {
        throw CaseSkipped(finding.reason);
    }
    expect(finding.result == Result::passed, finding.reason);
    return finding.reason;
}

}  // namespace sluice::check
