// The exception of the host: a message for the user and the exit code of the process.
#pragma once

#include <stdexcept>
#include <string>

namespace sluice {

enum class Exit : int {
    ok = 0,
    config = 2,
    data = 3,
    device = 4,
    diverged = 5,
    plugin = 6,
    replica_lost = 7,
    save = 8,
    worse = 9,  // `compare`: a condition of --fail-if is met
    signalled = 130,
};

// Stops the run. The message starts with the place ("deblur.toml:14:3: ..."). Then it states what failed, what was
// found and what would be right.
class Error : public std::runtime_error {
public:
    Error(Exit exit, const std::string& message, bool has_reason = true)
        : std::runtime_error(message), exit_(exit), has_reason_(has_reason) {}
    [[nodiscard]] Exit exit() const noexcept { return exit_; }
    // False if a plugin failed without a message, so that this one states no reason.
    [[nodiscard]] bool has_reason() const noexcept { return has_reason_; }

private:
    Exit exit_;
    bool has_reason_;
};

// The process did not get memory, a thread or another process. Another component in place of the one that failed would
// hide this and lack the same.
class OutOfResources : public Error {
public:
    explicit OutOfResources(const std::string& message) : Error(Exit::device, message) {}
};

// One allocation did not fit into memory of the host or of a device; a smaller one may still fit.
class OutOfMemory : public OutOfResources {
public:
    using OutOfResources::OutOfResources;
};

}  // namespace sluice
