// A backup of the running statistics, taken before a step that may be rolled back.
#pragma once

#include <memory>
#include <vector>

#include "run/network/step_state.hpp"
#include "run/weights/weights.hpp"

namespace sluice::run {

class StatisticsBackup {
public:
    // Backs up all statistics. `weights` must outlive this object.
    StatisticsBackup(std::shared_ptr<const registry::Device> device, void* stream, const Weights& weights);
    // Backs up these ranges only.
    StatisticsBackup(std::shared_ptr<const registry::Device> device, void* stream, const Weights& weights,
                     std::vector<plan::Range> ranges);

    // All functions enqueue their work on the stream.
    void take() const;
    void put_back() const;
    // Restores the statistics after the decision about a step, unless the step was done. Needs a backup of all of them.
    void put_back_unless_done(const StepState& state) const;
    // Runs `work` and then restores the statistics. Overwrites an earlier backup.
    template <class Work>
    void keep_over(const Work& work) const {
        take();
        work();
        put_back();
    }

private:
    std::shared_ptr<const registry::Device> device_;
    void* stream_;
    const Weights& weights_;
    std::vector<plan::Range> ranges_;
    registry::Block backup_;
};

}  // namespace sluice::run
