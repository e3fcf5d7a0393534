// What an observer could not write waits and is tried again: at once a few times, and with its next events.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sluice/sdk/guard.hpp"

namespace sluice::observers {

// Calls each of `writes`, also after one failed, and a failed one up to `tries` times. Throws with all last reasons.
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

// What waits is kept in memory: a second try costs little where the first one met a passing error.
inline constexpr int kTries = 3;

}  // namespace sluice::observers
