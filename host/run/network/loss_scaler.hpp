// The scale of the loss under a precision policy that stores in few bits: it lifts small gradients into the range of
// the type. The scale of a dynamic policy grows after a row of good steps, and falls with each that has to be skipped:
// on the device, as the end of a step is decided (kind/step.h).
#pragma once

#include <cstdint>
#include <optional>

#include "plan/toolbox.hpp"

namespace sluice::run {

// Of a run, and of its checkpoints.
struct LossScale {
    double value = 0.0;              // 0: nothing was ever scaled
    std::uint64_t good_steps = 0;    // in a row, since the scale last changed
    std::uint64_t skips_in_row = 0;  // up to the step done last
    std::uint64_t skipped = 0;       // of all steps: they advance neither optimizer, schedule nor average
};

// What the steps before leave to the next on the device, so many of them having changed the weights.
[[nodiscard]] sluice_step_report report_of(const LossScale& state, std::uint64_t updates);

class LossScaler {
public:
    // By the pipeline's policy, else by the first policy of single layers that scales; else nothing is scaled.
    explicit LossScaler(const plan::Toolbox& tools);
    explicit LossScaler(const sluice_precision_traits& traits);

    [[nodiscard]] bool scales() const { return traits_.has_value(); }
    // The state that the first step begins with, in a run that goes on from `state`.
    [[nodiscard]] LossScale begin(LossScale state = {}) const;
    // After the step of this report, the one before having left `state`.
    [[nodiscard]] LossScale after(const LossScale& state, const sluice_step_report& report) const;
    // What a device has to know of it.
    void add_to(sluice_step_rule& rule) const;
    [[nodiscard]] bool is_static() const;
    // Whether the scale cannot fall any more.
    [[nodiscard]] bool at_floor(const LossScale& state) const;
    // So many steps in a row were skipped that the run has to stop.
    [[nodiscard]] bool gives_up(const LossScale& state) const;

private:
    std::optional<sluice_precision_traits> traits_;  // of a policy that scales
};

}  // namespace sluice::run
