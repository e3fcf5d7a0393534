// Thrown by a wait for samples that is stopped.
#pragma once

#include <exception>

namespace sluice::data {

// LoaderOptions::stop returned true while next() waited. That batch stays the next one.
class Stopped : public std::exception {
public:
    [[nodiscard]] const char* what() const noexcept override { return "stopped while waiting for a batch"; }
};

}  // namespace sluice::data
