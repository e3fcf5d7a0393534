// The tensors of a convolution on which passes are timed, outside of a run.
#pragma once

#include <cstdint>
#include <memory>
#include <new>

#include "conv/pass.hpp"
#include "library/onednn_api.hpp"

namespace sluice::onednn {

// Sizes of these tensors, in elements, and the types in which activations are stored.
struct TrialTensors {
    std::int64_t input;
    std::int64_t output;
    std::int64_t weights;
    std::int64_t biases;
    DataType input_type;
    DataType output_type;
};

class TrialValues {
public:
    // Fills it with numbers of usual size, because zeros or denormals may take another time than those of a training.
    explicit TrialValues(std::int64_t count, DataType type = DataType::f32);
    [[nodiscard]] void* get() const { return block_.get(); }

private:
    struct Free {
        void operator()(void* block) const noexcept;
    };
    std::unique_ptr<void, Free> block_;
};

// Gradients share memory with tensors that the same direction does not use, because the values do not matter.
class Trial {
public:
    // threads: the threads of the run; they must outlive this object.
    Trial(const TrialTensors& tensors, const sluice_threads* threads);

    // Runs `pass` once and returns the seconds. A new `version` means new parameters, as in each step of a training.
    [[nodiscard]] double run(ConvPass& pass, const TrialValues& workspace, std::uint32_t version) const;

private:
    const sluice_threads* threads_;
    TrialValues input_;
    TrialValues output_;
    TrialValues weights_;
    TrialValues weight_gradient_;
    TrialValues bias_;
};

}  // namespace sluice::onednn
