// Retries an observer's failed writes: a few times at once, and again with its next events.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sluice/sdk/guard.hpp"

namespace sluice::observers {

// Calls each of `writes`, even after one has failed, and a failing one up to `tries` times. Throws with the last reason
// of each.
inline void write_all(const std::vector<std::function<void()>>& writes, int tries) {
    std::string reasons;
    for (const auto& write : writes) {
        std::string reason;
        for (int i = 0; i < tries; ++i) {
            try {
                write();
                reason.clear();
                break;
            } catch (const sdk::Failure& failure) {
                reason = failure.what();
            }
        }
        reasons += (reasons.empty() || reason.empty() ? "" : "; ") + reason;
    }
    if (!reasons.empty()) {
        throw sdk::Failure(SLUICE_FAILED, reasons);
    }
}

// Data that waits stays in memory, so that another try after a passing error costs little.
inline constexpr int kTries = 3;

}  // namespace sluice::observers
