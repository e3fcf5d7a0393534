// Decides whether a training stops before its end.
#pragma once

#include "registry/optional/processes.hpp"

namespace sluice::run {

// A process alone obeys its own signal. Several processes stop after the same step, once they have agreed to.
class StopRequest {
public:
    // `processes` outlives it.
    explicit StopRequest(const registry::Processes& processes) : processes_(processes) {}

    // Asks all processes whether one of them got a signal. All of them call this at the same place.
    bool ask_all();
    // Notes what a step has reported: `is_asked` if a process got a signal.
    void note(bool is_asked) { is_agreed_ = is_agreed_ || is_asked; }
    [[nodiscard]] bool is_made() const;

private:
    const registry::Processes& processes_;
    bool is_agreed_ = false;
};

}  // namespace sluice::run
