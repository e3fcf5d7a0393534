#include "run/held_parts.hpp"

namespace sluice::run {

HeldParts::HeldParts(BatchStage& stage, StepState& state, TensorReader& reader)
    : stage_(stage), state_(state), reader_(reader) {
    parts_.reserve(stage.slots());
}

void HeldParts::drop(std::uint64_t step) {
    std::erase_if(parts_, [&](const HeldPart& part) { return part.step <= step; });
}

void HeldParts::drop(const Program& program) {
    std::erase_if(parts_, [&](const HeldPart& part) { return part.program == &program; });
}

Fault HeldParts::find_fault(std::uint64_t step, std::uint32_t parameters_version) {
    for (const HeldPart& part : parts_) {
        if (part.step != step || !stage_.holds(part.batch)) {
            continue;
        }
        stage_.spread(part.batch, part.program->places);
        state_.write_scalars(part.scalars);
        const auto layer = part.program->executor->first_not_finite(
            parameters_version, [&](plan::TensorId id) { return reader_.read(*part.program, id); });
        if (layer) {
            return {*layer, stage_.is_finite(part.batch)};
        }
    }
    return {"loss", true};
}

}  // namespace sluice::run
