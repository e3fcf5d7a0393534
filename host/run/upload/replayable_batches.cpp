#include "run/upload/replayable_batches.hpp"

namespace sluice::run {

ReplayableBatches::ReplayableBatches(UploadQueue& stage, StepState& state, TensorReader& reader)
    : stage_(stage), state_(state), reader_(reader) {
    parts_.reserve(stage.slots());
}

void ReplayableBatches::drop(std::uint64_t step) {
    std::erase_if(parts_, [&](const ReplayableBatch& part) { return part.step <= step; });
}

std::shared_ptr<const Program> ReplayableBatches::bring_back(const ReplayableBatch& part, std::uint64_t step,
                                                             double factor) {
    std::shared_ptr<const Program> program = part.program.lock();
    if (part.step != step || !stage_.holds(part.batch) || program == nullptr) {
        return nullptr;
    }
    stage_.spread(part.batch, program->places);
    sluice_step_start start = part.start;
    start.loss_seed *= factor;
    state_.write_start(start);
    state_.begin();
    return program;
}

Fault ReplayableBatches::find_fault(std::uint64_t step, std::uint32_t parameters_version) {
    for (const ReplayableBatch& part : parts_) {
        const auto program = bring_back(part, step, 1.0);
        if (program == nullptr) {
            continue;
        }
        const auto layer = program->executor->first_not_finite(
            parameters_version, [&](plan::TensorId id) { return reader_.read(*program, id); });
        if (layer) {
            return {*layer, stage_.is_finite(part.batch)};
        }
    }
    return {"loss", true};
}

void ReplayableBatches::compute_again(std::uint64_t step, double factor, std::uint32_t parameters_version) {
    bool is_first = true;
    for (const ReplayableBatch& part : parts_) {
        if (const auto program = bring_back(part, step, factor)) {
            program->executor->forward(parameters_version);
            program->executor->backward(parameters_version, !is_first);
            is_first = false;
        }
    }
}

}  // namespace sluice::run
