// Rollback of what a step changes before its update: the running statistics.
#pragma once

#include <memory>
#include <optional>

#include "run/network/statistics_backup.hpp"

namespace sluice::run {

class StepRollback {
public:
    // `is_wanted`: steps may be rolled back; otherwise nothing is kept. `weights` must outlive this object.
    StepRollback(std::shared_ptr<const registry::Device> device, void* stream, const Weights& weights, bool is_wanted);

    // Begins a step. Until end(), abandon() rolls it back.
    void begin() { is_unfinished_ = backup_.has_value(); }
    void end() { is_unfinished_ = false; }
    // Rolls back an unfinished step, if there is one. Waits.
    void abandon();

    // Enqueues the backup, before the step's first batch.
    void take() const;
    // Enqueues the rollback of a step that is not done, after the decision about its update.
    void put_back_unless_done(const StepState& state) const;
    // Runs `work` and leaves the running statistics unchanged. Not allowed between a step's start and its update.
    template <class Work>
    void keep_over(const Work& work) const {
        if (backup_) {
            backup_->keep_over(work);
        } else {
            work();
        }
    }

private:
    std::shared_ptr<const registry::Device> device_;
    void* stream_;
    std::optional<StatisticsBackup> backup_;
    bool is_unfinished_ = false;  // a step has begun
};

}  // namespace sluice::run
