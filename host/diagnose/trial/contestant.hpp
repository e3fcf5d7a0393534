// A training that takes turns with others.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "diagnose/evidence/turns.hpp"
#include "diagnose/trial/training_process.hpp"
#include "run/account/step_log.hpp"

namespace sluice::diagnose {

class Contestant {
public:
    // Starts the training, which writes the time of its steps into `measures`. `samples`: of one step.
    Contestant(const ProcessRequest& request, std::filesystem::path measures, double samples);

    // Lets the training run until it has done `steps` steps and has trained for `seconds`, and pauses it. Returns why
    // it could not; empty: it could. It gives up after `limit` seconds without a step, or if `stops` returns true.
    std::string warm_up(double steps, double seconds, double limit, const std::function<bool()>& stops);
    // Lets the training run for so many seconds, or until `stops` returns true. False: it has exited.
    bool take_turn(double seconds, const std::function<bool()>& stops);
    // Ends the training.
    void finish();

    [[nodiscard]] double samples() const { return samples_; }
    // Seconds of a step while it was warmed up.
    [[nodiscard]] double step_seconds() const;
    // The work of each turn so far.
    [[nodiscard]] Work work();
    // All steps so far, and the time between these.
    [[nodiscard]] const std::vector<run::StepLogEntry>& entries();
    [[nodiscard]] const std::vector<Turn>& turns() const { return turns_; }
    [[nodiscard]] TrainingProcess& process() { return process_; }

private:
    TrainingProcess process_;
    std::filesystem::path measures_;
    double samples_;
    std::vector<run::StepLogEntry> entries_;
    double warm_until_ = 0.0;  // as now()
    std::vector<Turn> turns_;
};

}  // namespace sluice::diagnose
