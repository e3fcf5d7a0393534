// A training that takes turns with others.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "diagnose/evidence/turns.hpp"
#include "diagnose/trial/training_process.hpp"
#include "run/account/step_log.hpp"

namespace sluice::diagnose {

struct ContestantRequest {
    ProcessRequest process;
    std::filesystem::path measures;                // folder into which the training writes the time of its steps
    double samples = 1.0;                          // a step trains on so many
    bool is_launched = false;                      // by mpirun, which removes its own files if it is asked to stop
    std::vector<std::filesystem::path> scratch{};  // folders that are removed when it has ended
};

class Contestant {
public:
    explicit Contestant(ContestantRequest request);
    ~Contestant();
    Contestant(const Contestant&) = delete;
    Contestant& operator=(const Contestant&) = delete;

    // When a warm-up is over, and when it is given up.
    struct WarmUp {
        double steps = 0.0;
        double seconds = 0.0;
        double longest_silence = 0.0;                            // seconds without a step
        double until = std::numeric_limits<double>::infinity();  // as now()
    };
    // Lets the training run until it is warm, and pauses it. Returns why it could not; empty: it could.
    std::string warm_up(const WarmUp& wanted, const std::function<bool()>& stops);
    // Lets the training run for so many seconds, or until `stops` returns true. False: it has exited.
    bool take_turn(double seconds, const std::function<bool()>& stops);
    // Ends the training.
    void finish();

    [[nodiscard]] double samples() const { return request_.samples; }
    // Seconds of a step while it was warmed up.
    [[nodiscard]] double step_seconds() const;
    // The work of each turn so far.
    [[nodiscard]] Work work();
    // All steps so far, and the time between these.
    [[nodiscard]] const std::vector<run::StepLogEntry>& entries();
    [[nodiscard]] const std::vector<Turn>& turns() const { return turns_; }
    [[nodiscard]] TrainingProcess& process() { return process_; }
    // Why the process has exited: its last error, or its exit code.
    [[nodiscard]] std::string failure() const;
    // The exit code for the same failure.
    [[nodiscard]] Exit exit() const;

private:
    ContestantRequest request_;
    TrainingProcess process_;
    std::vector<run::StepLogEntry> entries_;
    double warm_until_ = 0.0;  // as now()
    std::vector<Turn> turns_;
};

}  // namespace sluice::diagnose
