// The tensors of a convolution outside of a run, for a pass to be timed on.
#pragma once

#include <cstdint>
#include <memory>
#include <new>

#include "conv/pass.hpp"
#include "onednn_api.hpp"

namespace sluice::onednn {

// What passes of one direction are tried with: counts of elements and how activations are stored.
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
    // Neither zeros nor numbers near them, which may take another time than those of a training.
    explicit TrialValues(std::int64_t count, DataType type = DataType::f32);
    [[nodiscard]] void* get() const { return block_.get(); }

private:
    struct Free {
        void operator()(void* block) const noexcept;
    };
    std::unique_ptr<void, Free> block_;
};

// Gradients lie where the tensors lie that the same direction does not use; the values do not matter.
class Trial {
public:
    // threads: of the run, and outlives this.
    Trial(const TrialTensors& tensors, const sluice_threads* threads);

    // Seconds of a run. Parameters are new where `version` is, as in each step of a training.
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
