// The exit code of a process that failed before the training began and has logged why: the others exit with it in
// silence.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace sluice::launch {

// The launcher and abort() of a strategy carry a reason as text alone. This is the only place that writes a code into
// one and reads it.
struct PeerExit {
    Exit code;

    // "has left with exit code 3", which follows the name of the process.
    [[nodiscard]] std::string text() const;
    // Nothing if the reason names no exit of another process.
    static std::optional<PeerExit> parse(std::string_view reason);
};

}  // namespace sluice::launch
