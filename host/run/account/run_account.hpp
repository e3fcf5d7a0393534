// How the wall time of a run was spent: by phase, and by the stages of each phase.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "profile/stage.hpp"

namespace sluice::run {

// start: until the first step can begin. checkpoints: with the wait for observers
// that a checkpoint needs. profiling: recorded windows are begun and written. end: after the last step.
enum class Phase : std::uint8_t { start, steps, evaluation, checkpoints, profiling, end };
inline constexpr std::size_t kPhases = 6;

class RunAccount {
public:
    void add(Phase phase, const profile::StageSeconds& seconds);
    [[nodiscard]] const profile::StageSeconds& of(Phase phase) const {
        return phases_[static_cast<std::size_t>(phase)];
    }
    // Seconds of all phases.
    [[nodiscard]] double total() const;
    // Seconds that belong to no stage, in the phases that have stages: all but start and end.
    [[nodiscard]] double other_seconds() const;
    // Adds what the loop did while a device was busy.
    void add_beside_device(const profile::StageSeconds& seconds);
    // What the threads of the input did beside the loop, in seconds of all of them.
    void set_input_work(double read, double preprocess) {
        input_read_ = read;
        input_preprocess_ = preprocess;
    }
    [[nodiscard]] double input_read_seconds() const { return input_read_; }
    [[nodiscard]] double input_preprocess_seconds() const { return input_preprocess_; }
    // One line for each phase that took time: "steps 92.1 % (71.3 s): backward 51.0 %, forward 24.1 %, ...".
    // `start_parts` describes the start. The last lines have the work beside the loop and beside the device.
    [[nodiscard]] std::vector<std::string> lines(const std::string& start_parts) const;

private:
    std::array<profile::StageSeconds, kPhases> phases_{};
    profile::StageSeconds beside_device_;
    double input_read_ = 0.0;
    double input_preprocess_ = 0.0;
};

}  // namespace sluice::run
