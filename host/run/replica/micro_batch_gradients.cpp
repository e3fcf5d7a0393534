#include "run/replica/micro_batch_gradients.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

#include "plan/memory_need.hpp"

namespace sluice::run {

MicroBatchGradients::MicroBatchGradients(const config::PipelineSpec& spec, const Loan& loan)
    : loan_(loan),
      parts_of_step_(static_cast<std::uint64_t>(spec.train.accumulate)),
      single_values_(loan.runner.device(), loan.runner.stream(), loan.runner.weights(), loan.runner.plan().graph) {
    const plan::Plan& plan = loan_.runner.plan();
    if (loan_.exchange != nullptr && plan::joins_replicas(plan.graph) != nullptr) {
        gradients_before_.emplace(loan_.runner.device(), loan_.runner.stream(), loan_.runner.weights(),
                                  plan::keeps_gradients(plan, spec, true));
    }
}

// Sends the start of a micro-batch to the device and returns it.
sluice_step_start MicroBatchGradients::start(const StepBatch& part, std::int64_t number) {
    constexpr int kPartBits = 40;  // bits of a random counter that count batches; higher bits count micro-batches
    const std::uint64_t parts_before = (part.step - 1) * parts_of_step_ + part.part;
    sluice_step_start start{.loss_seed = 1.0 / loss_elements_,
                            .random_counter = (static_cast<std::uint64_t>(number) << kPartBits) + parts_before + 1,
                            .first_update = part.rates.first_update,
                            .rates = {},
                            .reserved = {}};
    std::ranges::copy(part.rates.values, std::begin(start.rates));
    loan_.state.write_start(start, part.status);
    return start;
}

bool MicroBatchGradients::compute(Program& program, const data::Batch& piece, const StepBatch& part, const Turn& turn) {
    const std::uint64_t staged = loan_.runner.feed(piece);
    const sluice_step_start start = this->start(part, turn.number);
    if (loan_.held != nullptr) {
        loan_.held->add({part.step, staged, program.weak_from_this(), start});
    }
    if (program.first_step == 0) {
        program.first_step = part.step;
    }
    loan_.runner.round_parameters(false);
    loan_.runner.joint_sums().set(!part.is_common       ? ReplicaSums::Share::alone
                                  : turn.has_no_samples ? ReplicaSums::Share::nothing
                                                        : ReplicaSums::Share::equal);
    single_values_.keep_over(piece.count == 1, turn.is_of_one, [&] { run(program, part, turn); });
    return own_loss_is_finite_;
}

// Work that contains collectives is captured by all replicas or by none.
void MicroBatchGradients::run(Program& program, const StepBatch& part, const Turn& turn) {
    const bool is_first_step = program.first_step == part.step;
    if (!turn.is_recorded) {
        wait_for_each(is_first_step);
        run_once(program, turn);
        return;
    }
    // The graph of a micro-batch that exchanges must not depend on the number of micro-batches, which may differ
    // between replicas.
    const bool is_first = turn.exchanges ? part.part == 0 : turn.is_first;
    CapturedGraph& recorded =
        part.is_common ? program.parts[is_first ? 1 : 0][turn.exchanges ? 1 : 0] : program.alone[is_first ? 1 : 0];
    wait_for_each(is_first_step && !recorded.has_begun());
    run_captured(recorded, part.is_common && (turn.exchanges || gradients_before_) ? loan_.vote : nullptr,
                 [&] { run_once(program, turn); });
}

void MicroBatchGradients::wait_for_each(bool waits) const {
    if (loan_.exchange != nullptr) {
        loan_.exchange->collectives().wait_for_each(waits);
    }
}

void MicroBatchGradients::run_once(const Program& program, const Turn& turn) {
    if (loan_.exchange != nullptr) {
        loan_.exchange->restart();
    }
    if (turn.is_first) {
        loan_.rollback.take();
    }
    const std::uint32_t version = loan_.runner.weights().version();
    sluice_step_report* const report = loan_.state.report();
    loan_.state.begin();
    program.executor->forward(version);
    const plan::TensorId loss = program.plan.graph.loss;
    const auto losses = static_cast<std::uint64_t>(element_count(program.plan.graph.tensors[loss].spec)) / 2;
    loan_.state.calls().add_loss(reinterpret_cast<const float*>(program.executor->tensor(loss)),
                                 turn.has_no_samples ? 0 : losses, turn.is_first, report);
    own_loss_is_finite_ = !loan_.runner.device()->is_host_memory() || std::isfinite(report->loss_sum);
    if (turn.has_no_samples) {
        gradients_before_->take(turn.is_first);
    }
    const auto filled = [&](std::uint64_t elements) {
        if (turn.has_no_samples) {
            gradients_before_->put_back(elements);
        }
        if (turn.exchanges) {
            loan_.exchange->gradients_filled(elements);
        }
    };
    program.executor->backward(version, !turn.is_first, std::ref(filled));  // std::function would allocate a copy
    if (turn.exchanges) {
        loan_.exchange->finish();
    }
}

void MicroBatchGradients::skip(const StepBatch& part, const Turn& turn) {
    start(part, turn.number);
    loan_.state.begin();
    if (turn.is_first) {
        Weights& weights = loan_.runner.weights();
        loan_.runner.device()->zero(weights.gradients(), weights.count() * sizeof(float), loan_.runner.stream());
        loan_.state.calls().add_loss(nullptr, 0, true, loan_.state.report());
        loan_.rollback.take();
    }
    if (turn.exchanges) {
        loan_.exchange->finish();
    }
}

}  // namespace sluice::run
