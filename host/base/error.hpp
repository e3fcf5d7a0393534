// The one exception of the host: a message for the user and the code that the process exits with.
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
    worker_lost = 7,
    save = 8,
    signalled = 130,
};

// Ends the run. The message says what failed, what was found and what would be right, with its place in front
// ("deblur.toml:14:3: ...").
class Error : public std::runtime_error {
public:
    Error(Exit exit, const std::string& message) : std::runtime_error(message), exit_(exit) {}
    [[nodiscard]] Exit exit() const noexcept { return exit_; }

private:
    Exit exit_;
};

// Too little memory for one thing; a smaller one may still fit.
class OutOfMemory : public Error {
public:
    explicit OutOfMemory(const std::string& message) : Error(Exit::device, message) {}
};

}  // namespace sluice
