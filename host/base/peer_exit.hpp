// The exit code of a process that failed before the training began and logged why. The others exit with it and log
// nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace sluice {

// The launcher and a strategy's abort() pass a reason only as text. No other code writes or reads an exit code in it.

// Returns "has exited with code 3", which follows the name of the process in the reason.
std::string peer_exit_text(Exit code);
// Returns the code that a reason names; nothing if the reason is not that a process failed.
std::optional<Exit> peer_exit_in(std::string_view reason);

// Another process, which this one waited for, failed with exit code `peer`.
class PeerFailed : public Error {
public:
    PeerFailed(Exit peer, const std::string& message) : Error(Exit::replica_lost, message), peer_(peer) {}
    [[nodiscard]] Exit peer() const noexcept { return peer_; }

private:
    Exit peer_;
};

}  // namespace sluice
