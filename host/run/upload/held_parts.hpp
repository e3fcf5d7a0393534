// The parts of steps that were put on a device whose work runs later. Where a step turns out not to be finite, they are
// computed once more, forward and launch by launch, to name the layer.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "run/network/program.hpp"
#include "run/network/step_state.hpp"
#include "run/network/tensor_reader.hpp"
#include "run/upload/batch_stage.hpp"

namespace sluice::run {

// Where numbers of a step were not finite first.
struct Fault {
    std::string layer;  // "loss" where the output of every layer was finite
    bool data_is_finite = true;
};

struct HeldPart {
    std::uint64_t step;
    std::uint64_t batch;                   // its number in the stage
    std::weak_ptr<const Program> program;  // may be dropped meanwhile
    sluice_step_start start;
};

class HeldParts {
public:
    HeldParts(BatchStage& stage, StepState& state, TensorReader& reader);

    void add(const HeldPart& part) { parts_.push_back(part); }
    // Of a step and those before it.
    void drop(std::uint64_t step);

    // Of a step whose loss is not finite. Moves the running statistics.
    [[nodiscard]] Fault find_fault(std::uint64_t step, std::uint32_t parameters_version);
    // Makes the gradients of a step anew, with a loss that is multiplied by `factor` beside the scale of now. Moves the
    // running statistics.
    void compute_again(std::uint64_t step, double factor, std::uint32_t parameters_version);

private:
    // The program of that part, which is as it was then; null if the part is of another step, or its batch or program
    // is not there any more.
    [[nodiscard]] std::shared_ptr<const Program> bring_back(const HeldPart& part, std::uint64_t step, double factor);

    BatchStage& stage_;
    StepState& state_;
    TensorReader& reader_;
    std::vector<HeldPart> parts_;
};

}  // namespace sluice::run
