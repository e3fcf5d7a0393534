// What convolutions share, as kernels by themselves and as parts of a chain: the passes of the three directions,
// kernels rounded to 16 bits where that is computed with, and gradients of kernels and bias in float32.
//
// cuDNN writes the kernels' gradient in the type of the image only: of 16 bits it goes through the workspace and is
// widened there by a pass of our own. So does one that is added to what is there, as a launch decides that.
//
// Outside training a chain may go on with what is folded into kernels and bias (conv/fold.hpp), in each launch.
#pragma once

#include <memory>
#include <string>

#include "conv/geometry.hpp"
#include "conv/layout.hpp"
#include "conv/plan_context.hpp"
#include "conv/weights.hpp"

namespace sluice::cudnn {

// The part that a convolution has in a chain.
struct ConvUse {
    std::size_t input = 0;  // place of the node whose input it reads
    std::size_t node = 0;   // and of that with the kernels and the bias
    // In training batch_norm follows in the same kernel: it takes each channel's mean away, and what the bias adds to
    // that. The bias is left out, and its gradient, which is 0.
    bool before_norm = false;
    bool has_source = false;  // what it reads is the source (conv/geometry.hpp) already, and so is its gradient
};

// Launches begin with its parameters, saved blocks and workspace; their inputs and outputs are those of the chain.
class Convolution {
public:
    Convolution(const Convolution&) = delete;
    Convolution& operator=(const Convolution&) = delete;
    Convolution(Convolution&&) = delete;
    Convolution& operator=(Convolution&&) = delete;
    virtual ~Convolution() = default;

    // sums: those of ConvProblem; NULL where writes_sums() is false.
    virtual void forward(const sluice_launch& launch, const void* x, void* y, float* sums) const = 0;
    // Writes the gradients of the parameters, and that of x to dx (NULL: not wanted).
    virtual void backward(const sluice_launch& launch, const void* x, const void* dy, void* dx) const = 0;
    [[nodiscard]] virtual bool writes_sums() const { return false; }

    [[nodiscard]] std::uint64_t workspace() const { return layout_.size(); }
    [[nodiscard]] std::size_t saved_blocks() const { return saved_blocks_; }
    // The engines, and what else is worth telling.
    [[nodiscard]] const std::string& note() const { return note_; }

protected:
    Convolution(const PlanContext& context, const ConvUse& use);

    // A direction of the convolution that will be run.
    std::unique_ptr<ConvPass> plan(const ConvProblem& problem);
    // In two steps, where one of several is taken.
    [[nodiscard]] std::unique_ptr<ConvPass> find(const ConvProblem& problem, bool timed = false);
    // NULL: this cuDNN does not compute it.
    [[nodiscard]] std::unique_ptr<ConvPass> find_if_computed(const ConvProblem& problem, bool timed);
    void take(const ConvPass& pass, Direction direction);
    [[nodiscard]] const PlannerOptions& planner_options() const { return planner_.options(); }
    void run(const ConvPass& pass, const sluice_launch& launch, const ConvMemory& memory) const;

    // shape: of the parameter. swapped: cuDNN takes [I, taps, O].
    void place_weights(cudnnDataType_t type, const WeightShape& shape, bool swapped);
    // The kernels as cuDNN takes them.
    [[nodiscard]] const void* weights(const sluice_launch& launch) const;
    // For a convolution that makes other kernels of them, in place of place_weights() and weights(): in float32.
    void place_kernels(const WeightShape& shape);
    [[nodiscard]] const float* kernels(const sluice_launch& launch) const;
    // Where cuDNN writes their gradient, and from there to the parameter's.
    [[nodiscard]] void* gradient_target(const sluice_launch& launch) const;
    void finish_gradient(const sluice_launch& launch) const;

    // In float32; run() rounds it where the graph takes it so. NULL where there is none. Where it is folded, of the
    // kernels that were asked for before.
    [[nodiscard]] const float* bias(const sluice_launch& launch) const {
        return folds_  ? static_cast<const float*>(at(launch.workspace, folded_bias_))
               : bias_ ? sdk::parameter(launch, 1)
                       : nullptr;
    }
    // type, rows, channels: of the output.
    void place_bias_gradient(cudnnDataType_t type, std::int64_t rows, std::int64_t channels);
    void write_bias_gradient(const sluice_launch& launch, const void* dy) const;

    // A saved block, behind those before.
    void save(std::uint64_t bytes);
    void backward_reads_input() const { sink_.backward_reads_input(0); }
    // In front of what follows.
    void add_note(const std::string& text);
    // Nothing is placed afterwards.
    void place_scratch() { scratch_ = layout_.take(scratch_bytes_); }

    [[nodiscard]] bool trains() const { return trains_; }
    [[nodiscard]] bool adds_gradient() const { return adds_gradient_; }
    // What is added to the convolution, and whether relu follows.
    [[nodiscard]] bool has_bias() const { return bias_ || folds_; }
    [[nodiscard]] bool has_relu() const { return relu_; }

    Layout layout_;

private:
    void place_fold(const WeightShape& shape);
    void* fold(const sluice_launch& launch, cudnnDataType_t type) const;
    [[nodiscard]] const void* bias_in_graph(const sluice_launch& launch, const ConvPass& pass, const float* bias) const;
    [[nodiscard]] bool rounds() const { return type_ != CUDNN_DATA_FLOAT; }
    [[nodiscard]] bool writes_in_place(const sluice_launch& launch) const {
        return !rounds() && !swapped_ && launch.accumulate_parameters == 0;
    }

    Planner& planner_;
    const sdk::KernelSink& sink_;  // during plan()
    bool deterministic_;
    bool trains_;
    bool adds_gradient_;
    bool bias_;
    bool folds_;
    bool relu_;
    double epsilon_ = 0.0;
    std::uint64_t folded_bias_ = 0;   // in the workspace
    std::uint64_t rounded_bias_ = 0;  // and where the graph of a pass takes it so
    std::string note_;
    std::size_t saved_blocks_ = 0;
    std::uint64_t scratch_bytes_ = 0;  // cuDNN's, of the largest pass
    std::uint64_t scratch_ = 0;
    cudnnDataType_t type_ = CUDNN_DATA_FLOAT;
    WeightShape shape_;
    bool swapped_ = false;
    std::uint64_t weights_ = 0;  // in the workspace, as are the following
    std::uint64_t gradient_ = 0;
    cudnnDataType_t bias_type_ = CUDNN_DATA_FLOAT;
    std::int64_t bias_rows_ = 0;
    std::int64_t bias_channels_ = 0;
    std::uint64_t bias_sums_ = 0;
};

using ConvolutionPtr = std::unique_ptr<Convolution>;

}  // namespace sluice::cudnn
