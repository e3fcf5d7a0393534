// The exit code of a process that failed before the training began and logged why. The others exit with it and log
// nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace sluice::launch {

// The launcher and a strategy's abort() pass a reason only as text. No other code writes or reads an exit code in it.
struct PeerExit {
    Exit code;

    // "has left with exit code 3", which follows the name of the process.
    [[nodiscard]] std::string text() const;
    // Nothing if the reason names no exit of another process.
    static std::optional<PeerExit> parse(std::string_view reason);
};

}  // namespace sluice::launch
