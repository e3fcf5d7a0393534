// Loss scaling for precision policies with few bits: it lifts small gradients into the range of the type. A dynamic
// scale grows after a series of good steps and falls with each skipped step. The device changes it when it decides
// about a step's update (kind/step.h).
#pragma once

#include <cstdint>
#include <optional>

#include "plan/toolbox.hpp"

namespace sluice::run {

// State of the loss scale, of a run and of its checkpoints.
struct LossScale {
    double value = 0.0;              // 0: the loss was never scaled
    std::uint64_t good_steps = 0;    // in a row, since the scale last changed
    std::uint64_t skips_in_row = 0;  // up to the last finished step
    std::uint64_t skipped = 0;       // in all; skipped steps advance neither optimizer, schedule nor average
};

// Returns the report from which the device continues. `updates`: earlier steps that changed the weights.
[[nodiscard]] sluice_step_report report_of(const LossScale& state, std::uint64_t updates);

class LossScaler {
public:
    // Uses the pipeline's policy, or else the first layer policy that scales. If none scales, the loss is not scaled.
    explicit LossScaler(const plan::Toolbox& tools);
    explicit LossScaler(const sluice_precision_traits& traits);

    [[nodiscard]] bool scales() const { return traits_.has_value(); }
    // Returns the state before the first step of a run that resumes from `state`.
    [[nodiscard]] LossScale begin(LossScale state = {}) const;
    // Returns the state after the step of this report. `state` is the one before that step.
    [[nodiscard]] LossScale after(const LossScale& state, const sluice_step_report& report) const;
    // Adds the settings of the loss scale to the rule for the device.
    void add_to(sluice_step_rule& rule) const;
    [[nodiscard]] bool is_static() const;
    // True if the scale cannot fall any further.
    [[nodiscard]] bool at_floor(const LossScale& state) const;
    // True if so many steps in a row were skipped that the run has to stop.
    [[nodiscard]] bool gives_up(const LossScale& state) const;

private:
    std::optional<sluice_precision_traits> traits_;  // of the policy that scales the loss, if any
};

}  // namespace sluice::run
