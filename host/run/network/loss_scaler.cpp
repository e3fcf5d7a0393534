#include "run/network/loss_scaler.hpp"

#include <algorithm>

namespace sluice::run {

sluice_step_report report_of(const LossScale& state, std::uint64_t updates) {
    sluice_step_report report{};
    report.loss_scale = state.value;
    report.updates = updates;
    report.good_steps = state.good_steps;
    report.skips_in_row = state.skips_in_row;
    return report;
}

LossScaler::LossScaler(const plan::Toolbox& tools) {
    for (const plan::Policy& policy : tools.policies) {
        const sluice_precision_traits& traits = policy.precision->traits();
        if (!traits_ && traits.loss_scale != SLUICE_LOSS_SCALE_NONE) {
            traits_ = traits;
        }
    }
}

LossScaler::LossScaler(const sluice_precision_traits& traits) {
    if (traits.loss_scale != SLUICE_LOSS_SCALE_NONE) {
        traits_ = traits;
    }
}

LossScale LossScaler::begin(LossScale state) const {
    if (!traits_) {
        return {.skipped = state.skipped};
    }
    if (traits_->loss_scale == SLUICE_LOSS_SCALE_STATIC || state.value == 0.0) {
        state.value = traits_->scale;
    } else {
        state.value = std::clamp(state.value, traits_->floor, traits_->ceiling);
    }
    return state;
}

LossScale LossScaler::after(const LossScale& state, const sluice_step_report& report) const {
    return traits_ ? LossScale{.value = report.loss_scale,
                               .good_steps = report.good_steps,
                               .skips_in_row = report.skips_in_row,
                               .skipped = state.skipped + (report.ending == SLUICE_STEP_SKIPPED ? 1 : 0)}
                   : state;
}

void LossScaler::add_to(sluice_step_rule& rule) const {
    if (!traits_) {
        return;
    }
    rule.scales_loss = 1;
    rule.growth_interval = traits_->loss_scale == SLUICE_LOSS_SCALE_DYNAMIC ? traits_->growth_interval : 0;
    rule.most_skips = traits_->most_skips;
    rule.growth = traits_->growth;
    rule.backoff = traits_->backoff;
    rule.floor = traits_->floor;
    rule.ceiling = traits_->ceiling;
}

bool LossScaler::is_static() const { return traits_ && traits_->loss_scale == SLUICE_LOSS_SCALE_STATIC; }

bool LossScaler::at_floor(const LossScale& state) const { return traits_ && state.value <= traits_->floor; }

bool LossScaler::gives_up(const LossScale& state) const { return traits_ && state.skips_in_row >= traits_->most_skips; }

}  // namespace sluice::run
