// The common part of all convolutions, alone or in a chain: the passes of the three directions, kernels rounded to 16
// bits if the pass computes in 16 bits, and gradients of kernels and bias in float32.
//
// cuDNN writes the kernels' gradient only in the type of the image. A gradient of 16 bits goes to the workspace, and a
// pass of our own widens it. A gradient that accumulates takes the same way, because only the launch decides that.
//
// Outside training, a chain may continue with layers that each launch folds into kernels and bias (conv/fold.hpp).
#pragma once

#include <array>
#include <memory>
#include <string>

#include "conv/geometry.hpp"
#include "conv/layout.hpp"
#include "conv/plan_context.hpp"
#include "conv/weights.hpp"

namespace sluice::cudnn {

// The role of a convolution in a chain.
struct ConvUse {
    std::size_t input = 0;  // index of the node whose input it reads
    std::size_t node = 0;   // index of the node with the kernels and the bias
    // In training, batch_norm follows in the same kernel. It subtracts each channel's mean and with it the bias, so the
    // kernel skips the bias and its gradient, which is 0.
    bool before_norm = false;
    bool has_source = false;  // input and gradient already have the form of the source (conv/geometry.hpp)
};

// The convolution's parameters, saved blocks and workspace come first in a launch. The inputs and outputs of the launch
// are those of the chain.
class Convolution {
public:
    Convolution(const Convolution&) = delete;
    Convolution& operator=(const Convolution&) = delete;
    Convolution(Convolution&&) = delete;
    Convolution& operator=(Convolution&&) = delete;
    virtual ~Convolution() = default;

    // sums: those of ConvProblem; NULL if writes_sums() is false.
    virtual void forward(const sluice_launch& launch, const void* x, void* y, float* sums) const = 0;
    // Writes the gradients of the parameters, and the gradient of x to dx (NULL: not needed).
    virtual void backward(const sluice_launch& launch, const void* x, const void* dy, void* dx) const = 0;
    [[nodiscard]] virtual bool writes_sums() const { return false; }

    // The floating-point operations of all passes that run forward, and of those that run backward.
    [[nodiscard]] double forward_flops() const { return flops_[static_cast<std::size_t>(forward_direction())]; }
    [[nodiscard]] double backward_flops() const { return flops_[0] + flops_[1] + flops_[2] - forward_flops(); }

    [[nodiscard]] std::uint64_t workspace() const { return layout_.size(); }
    [[nodiscard]] std::size_t saved_blocks() const { return saved_blocks_; }
    // Names the engines and other choices; the host reports it.
    [[nodiscard]] const std::string& note() const { return note_; }

protected:
    Convolution(const PlanContext& context, const ConvUse& use);

    // Plans a direction that will run: find(), then take().
    std::unique_ptr<ConvPass> plan(const ConvProblem& problem);
    // The first step of plan(), for a caller that takes one of several passes.
    [[nodiscard]] std::unique_ptr<ConvPass> find(const ConvProblem& problem, bool timed = false);
    // Returns NULL if this cuDNN cannot compute the problem.
    [[nodiscard]] std::unique_ptr<ConvPass> find_if_computed(const ConvProblem& problem, bool timed);
    void take(const ConvPass& pass, Direction direction);
    [[nodiscard]] const PlannerOptions& planner_options() const { return planner_.options(); }
    void run(const ConvPass& pass, const sluice_launch& launch, const ConvMemory& memory) const;

    // Returns the direction under which take() got the pass that runs forward.
    [[nodiscard]] virtual Direction forward_direction() const { return Direction::forward; }

    // shape: of the parameter. swapped: cuDNN reads [I, taps, O].
    void place_weights(cudnnDataType_t type, const WeightShape& shape, bool swapped);
    // Returns the kernels in the type and order that cuDNN reads.
    [[nodiscard]] const void* weights(const sluice_launch& launch) const;
    // These replace place_weights() and weights() for a convolution that makes other kernels from the layer's, which
    // kernels() returns in float32.
    void place_kernels(const WeightShape& shape);
    [[nodiscard]] const float* kernels(const sluice_launch& launch) const;
    // cuDNN writes the kernels' gradient to gradient_target(). finish_gradient() moves it to the parameter's gradient.
    [[nodiscard]] void* gradient_target(const sluice_launch& launch) const;
    void finish_gradient(const sluice_launch& launch) const;

    // Returns the bias in float32, or NULL if there is none; run() rounds it if the graph reads 16 bits. With folding,
    // call weights() or kernels() first, because they write the folded bias.
    [[nodiscard]] const float* bias(const sluice_launch& launch) const {
        return folds_  ? static_cast<const float*>(at(launch.workspace, folded_bias_))
               : bias_ ? sdk::parameter(launch, 1)
                       : nullptr;
    }
    // type, rows, channels: of the output.
    void place_bias_gradient(cudnnDataType_t type, std::int64_t rows, std::int64_t channels);
    void write_bias_gradient(const sluice_launch& launch, const void* dy) const;

    // Requests a saved block. It follows those requested before.
    void save(std::uint64_t bytes);
    void backward_reads_input() const { sink_.backward_reads_input(0); }
    // Appends to note().
    void add_note(const std::string& text);
    // Call this last: take() and the other place_...() functions must come before it.
    void place_scratch() { scratch_ = layout_.take(scratch_bytes_); }

    [[nodiscard]] bool trains() const { return trains_; }
    [[nodiscard]] bool adds_gradient() const { return adds_gradient_; }
    // True if the convolution adds a bias, its own or a folded one.
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
    const sdk::KernelSink& sink_;  // valid only during plan()
    bool deterministic_;
    bool trains_;
    bool adds_gradient_;
    bool bias_;
    bool folds_;
    bool relu_;
    double epsilon_ = 0.0;
    std::uint64_t folded_bias_ = 0;   // offset in the workspace
    std::uint64_t rounded_bias_ = 0;  // offset in the workspace, if the graph of a pass reads 16 bits
    std::string note_;
    std::array<double, 3> flops_{};  // of each direction
    std::size_t saved_blocks_ = 0;
    std::uint64_t scratch_bytes_ = 0;  // of the pass that needs most
    std::uint64_t scratch_ = 0;
    cudnnDataType_t type_ = CUDNN_DATA_FLOAT;
    WeightShape shape_;
    bool swapped_ = false;
    std::uint64_t weights_ = 0;  // offset in the workspace, as are gradient_ and bias_sums_
    std::uint64_t gradient_ = 0;
    cudnnDataType_t bias_type_ = CUDNN_DATA_FLOAT;
    std::int64_t bias_rows_ = 0;
    std::int64_t bias_channels_ = 0;
    std::uint64_t bias_sums_ = 0;
};

using ConvolutionPtr = std::unique_ptr<Convolution>;

}  // namespace sluice::cudnn
