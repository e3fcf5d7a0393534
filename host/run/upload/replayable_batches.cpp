#include "run/upload/replayable_batches.hpp"

namespace sluice::run {

ReplayableBatches::ReplayableBatches(UploadQueue& queue, StepState& state, TensorReader& reader)
    : queue_(queue), state_(state), reader_(reader) {
    batches_.reserve(queue.slots());
}

void ReplayableBatches::drop(std::uint64_t step) {
    std::erase_if(batches_, [&](const ReplayableBatch& entry) { return entry.step <= step; });
}

std::shared_ptr<const Program> ReplayableBatches::bring_back(const ReplayableBatch& entry, std::uint64_t step,
                                                             double factor) {
    std::shared_ptr<const Program> program = entry.program.lock();
    if (entry.step != step || !queue_.holds(entry.batch) || program == nullptr) {
        return nullptr;
    }
    queue_.spread(entry.batch, program->places);
    sluice_step_start start = entry.start;
    start.loss_seed *= factor;
    state_.write_start(start);
    state_.begin();
    return program;
}

Fault ReplayableBatches::find_fault(std::uint64_t step, std::uint32_t parameters_version) {
    for (const ReplayableBatch& entry : batches_) {
        const auto program = bring_back(entry, step, 1.0);
        if (program == nullptr) {
            continue;
        }
        const auto layer = program->executor->first_not_finite(
            parameters_version, [&](plan::TensorId id) { return reader_.read(*program, id); });
        if (layer) {
            return {*layer, queue_.is_finite(entry.batch)};
        }
    }
    return {"loss", true};
}

void ReplayableBatches::compute_again(std::uint64_t step, double factor, std::uint32_t parameters_version) {
    bool is_first = true;
    for (const ReplayableBatch& entry : batches_) {
        if (const auto program = bring_back(entry, step, factor)) {
            program->executor->forward(parameters_version);
            program->executor->backward(parameters_version, !is_first);
            is_first = false;
        }
    }
}

}  // namespace sluice::run
