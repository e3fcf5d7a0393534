// What the parts of a step change before its update, the running statistics, as it was before a step that may be taken
// back.
#pragma once

#include <memory>
#include <optional>

#include "run/network/running_backup.hpp"

namespace sluice::run {

class StepRollback {
public:
    // If steps are never taken back, `is_wanted` is false and nothing is kept. The weights outlive it.
    StepRollback(std::shared_ptr<const registry::Device> device, void* stream, const Weights& weights, bool is_wanted);

    // A step begins, which abandon() takes back until end().
    void begin() { is_unfinished_ = backup_.has_value(); }
    void end() { is_unfinished_ = false; }
    // Takes back what the parts of an unfinished step have changed. Waits.
    void abandon();

    // For the stream: before the first part, and after the decision about the update.
    void take() const;
    void put_back_unless_done(const StepState& state) const;
    // The running statistics are the same after this work as before it. No step is between its start and its update
    // meanwhile.
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
    std::optional<RunningBackup> backup_;
    bool is_unfinished_ = false;  // some parts of the step are done
};

}  // namespace sluice::run
