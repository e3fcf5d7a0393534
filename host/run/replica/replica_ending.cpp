// How a step of a replica ended, and where numbers stopped being finite when they did.
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "run/network/overflow.hpp"
#include "run/replica/replica.hpp"

namespace sluice::run {

std::optional<std::string> Replica::layer_not_finite(const data::Batch& piece) {
    joint_sums_.set(JointSums::Share::alone);  // this replica alone looks for it
    feed_.feed(*last_, piece);                 // the launches before have reused the memory of what was fed
    return last_->executor->first_not_finite(network_.weights().version(),
                                             [&](plan::TensorId id) { return tensor(id); });
}

void Replica::give_up(std::uint64_t step, double loss) const {
    throw Error(Exit::diverged,
                why_it_diverged(fmt::format("the loss of step {}", step), loss, last_->plan.graph, fault_->layer));
}

// What a search computes moves the running statistics; no step is between its start and its update meanwhile.
template <class Search>
void Replica::keep_running(const Search& search) {
    if (running_before_) {
        running_before_->keep_over(search);
    } else {
        search();
    }
}

std::optional<std::string> Replica::overflowing_layer() {
    return run::overflowing_layer(last_->plan.graph, weights().layout(),
                                  [&](std::uint64_t offset, std::uint64_t count) {
                                      return parameter_gradients(offset, static_cast<std::int64_t>(count));
                                  });
}

std::string Replica::overflow_place() {
    if (fault_) {
        return fmt::format("in the output of layer '{}' and in the loss", fault_->layer);
    }
    const auto layer = overflow_ ? overflow_ : overflowing_layer();
    return layer ? fmt::format("in a gradient of layer '{}', where backward met it first", *layer) : "in the loss";
}

// Steps behind it may have changed the parameters, unless the run ends with it.
void Replica::find_cause(std::uint64_t step, const sluice_step_report& report, double scale) {
    joint_sums_.set(JointSums::Share::alone);  // the others find it elsewhere, or nowhere
    if (held_) {
        fault_.reset();
        if (!std::isfinite(report.loss_sum)) {
            keep_running([&] { fault_ = held_->find_fault(step, network_.weights().version()); });
        }
    }
    const bool gives_up = report.ending == SLUICE_STEP_SKIPPED && scaler_.gives_up(scale_);
    if (gives_up && !held_) {
        parameter_update_->gather_gradients();
    }
    if (!fault_ && gives_up) {
        keep_running([&] {
            if (held_) {
                held_->compute_again(step, scale / scale_.value, network_.weights().version());
            }
            overflow_ = overflowing_layer();
        });
    }
}

StepResult Replica::finish_step() {
    const auto [said, report] = state_->take_report();
    const std::uint64_t step = updated_.front();
    updated_.erase(updated_.begin());
    if (exchange_) {
        exchange_->collectives().expect_whole();
    }
    const double scale = std::exchange(scale_, scaler_.after(scale_, report)).value;
    const StepResult result{.loss = {report.loss_sum, report.loss_weight},
                            .norm = report.norm,
                            .rate = report.rate,
                            .skipped = report.ending == SLUICE_STEP_SKIPPED,
                            .scale = scale_,
                            .stops = exchange_ && said >= word::kStop,
                            .lacks_input = exchange_ && said >= word::kLacksInput};
    if (report.ending != SLUICE_STEP_DONE) {
        find_cause(step, report, scale);
    }
    if (held_) {
        held_->drop(step);
    }
    if (report.ending == SLUICE_STEP_DONE) {
        return result;
    }
    if (fault_ && (!result.skipped || !fault_->data_is_finite)) {
        give_up(step, report.loss_sum);
    }
    if (!result.skipped) {
        throw Error(Exit::diverged, scaler_.gives_up(scale_)
                                        ? why_it_gives_up(scaler_, scale_, overflow_place(), overflowed_forward())
                                        : fmt::format("the norm of the gradients of step {} is {}; a lower "
                                                      "optimizer.rate is the usual cure",
                                                      step, report.norm));
    }
    return result;
}

}  // namespace sluice::run
