// The exit code of a process that failed before the training began and logged why. The others exit with it and log
// nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace sluice {

// A strategy's abort() passes a reason only as text, and its ABI is frozen. So the code is a part of that text, which
// these two functions alone write and read. `host launch` sends the code by itself.

// Returns "it has exited with code 3", the reason for abort(). Strategies put the name of the process before it.
std::string peer_exit_text(Exit code);
// Returns the code in a reason of peer_exit_text(); nothing for another reason.
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
