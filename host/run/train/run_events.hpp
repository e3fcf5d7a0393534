// The events that a training sends to its observers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "config/spec.hpp"
#include "data/loader/batch.hpp"
#include "observe/bus.hpp"
#include "profile/stage.hpp"
#include "run/account/run_account.hpp"
#include "run/checkpoint/progress.hpp"
#include "run/replica/network_runner.hpp"
#include "run/replica/step_batch.hpp"
#include "run/setup/evaluation.hpp"
#include "run/train/steps_in_flight.hpp"
#include "run/train/timeline.hpp"

namespace sluice::run {

// The text and scalars of each kind of event are described in sluice/kind/observer.h.
class RunEvents {
public:
    // `spec` and `bus` must outlive this object. `folder` is the run folder.
    RunEvents(const config::PipelineSpec& spec, observe::Bus& bus, std::filesystem::path folder)
        : spec_(spec), bus_(bus), folder_(std::move(folder)) {}

    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
    // Tells the bus also if no observer wants it, because the bus counts steps and time from then on.
    void emit_begin(const Timeline& timeline, const Progress& progress) const;
    // `scales` is true if the loss is scaled. `seconds` is the time of the step, by its stages. `awaited`: the stage of
    // the input for which the step waited long; empty: it did not. It must be valid until the bus has ended.
    void emit_step(const StepInFlight& step, const StepResult& result, const profile::StageSeconds& seconds,
                   bool scales, std::string_view awaited) const;
    // `seconds` and `samples` belong to the finished epoch.
    void emit_epoch_end(const std::string& digest, double seconds, std::uint64_t samples,
                        const Progress& progress) const;
    // Sends parameters and gradients of this replica, if an observer wants them. No step may be in flight.
    void emit_weights(NetworkRunner& runner, const Progress& progress) const;
    // `is_best`: the monitored score is the best so far.
    void emit_evaluation(const Evaluation& evaluation, bool is_best, const Progress& progress) const;
    // Sends the pictures among the fields of the first batch, if an observer wants any.
    void emit_first_batch(const data::Batch& batch, const Progress& progress) const;
    // Returns after the observers have written all events. If they are late, it warns once and waits no more.
    void emit_checkpoint(const std::filesystem::path& file, const Progress& progress);
    // Sends a recorded window, if an observer wants any.
    void emit_profile(std::shared_ptr<const profile::Window> window, const Progress& progress) const;
    // Sends the last event: the run "finished", was "interrupted", "diverged" or "failed". Returns after the observers
    // have written all events.
    void emit_end(const std::string& how, const RunAccount& account, const Progress& progress) const;

private:
    void emit(std::uint32_t kind, std::string text, std::vector<std::pair<std::string, double>> scalars,
              const Progress& progress) const;
    void emit_pictures(const std::string& name, std::vector<std::pair<std::string, HostTensor>> pictures,
                       const Progress& progress) const;

    const config::PipelineSpec& spec_;
    observe::Bus& bus_;
    std::filesystem::path folder_;
    bool are_observers_late_ = false;
};

}  // namespace sluice::run
