// The batches in flight on an asynchronous device. If a step turns out not to be finite, its forward is run again,
// launch by launch, to name the layer.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "run/network/program.hpp"
#include "run/network/step_state.hpp"
#include "run/network/tensor_reader.hpp"
#include "run/upload/upload_queue.hpp"

namespace sluice::run {

// The place where the numbers of a step first stopped being finite.
struct Fault {
    std::string layer;  // "loss" if the output of every layer was finite
    bool data_is_finite = true;
};

struct ReplayableBatch {
    std::uint64_t step;
    std::uint64_t batch;                   // number in the upload queue
    std::weak_ptr<const Program> program;  // the network may have dropped it
    sluice_step_start start;
};

class ReplayableBatches {
public:
    ReplayableBatches(UploadQueue& queue, StepState& state, TensorReader& reader);

    void add(const ReplayableBatch& entry) { batches_.push_back(entry); }
    // Removes the batches of this step and of all steps before it.
    void drop(std::uint64_t step);

    // Finds the fault of a step whose loss is not finite. Changes the running statistics.
    [[nodiscard]] Fault find_fault(std::uint64_t step, std::uint32_t parameters_version);
    // Recomputes the gradients of a step. The loss is multiplied by `factor` in addition to the current loss scale.
    // Changes the running statistics.
    void compute_again(std::uint64_t step, double factor, std::uint32_t parameters_version);

private:
    // Feeds the batch to its program again and returns that program. Null if the batch is of another step, or if the
    // upload queue or the network no longer has it.
    [[nodiscard]] std::shared_ptr<const Program> bring_back(const ReplayableBatch& entry, std::uint64_t step,
                                                            double factor);

    UploadQueue& queue_;
    StepState& state_;
    TensorReader& reader_;
    std::vector<ReplayableBatch> batches_;
};

}  // namespace sluice::run
