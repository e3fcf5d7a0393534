// The running statistics as they were before a step that may be taken back.
#pragma once

#include <memory>
#include <vector>

#include "run/network/step_state.hpp"
#include "run/weights/weights.hpp"

namespace sluice::run {

class RunningBackup {
public:
    // Of all of them. The weights outlive it.
    RunningBackup(std::shared_ptr<const registry::Device> device, void* stream, const Weights& weights);
    // Of some.
    RunningBackup(std::shared_ptr<const registry::Device> device, void* stream, const Weights& weights,
                  std::vector<plan::Range> ranges);

    // Each puts its work on the stream.
    void take() const;
    void put_back() const;
    // For a step that was decided about: unless it is done. Of a backup of all.
    void put_back_unless_done(const StepState& state) const;
    // They are the same behind this work as before it; a backup that was taken is lost.
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
