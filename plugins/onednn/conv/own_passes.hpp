// The three directions of a convolution by our own loops, which multiply in float32. The template argument does the
// computing: it reserves memory in a Layout and gets its tensors in run(). flops_of(plan) counts its arithmetic.
#pragma once

#include <string>
#include <utility>

#include "conv/geometry.hpp"
#include "conv/pass.hpp"
#include "conv/source.hpp"
#include "conv/targets.hpp"
#include "library/workspace.hpp"

namespace sluice::onednn {

// Calls Correlation::run(launch, input, kernels, ImageTarget).
template <class Correlation>
class OwnForward : public ConvPass {
public:
    template <class Plan>
    OwnForward(std::string name, const ConvGeometry& geometry, Plan plan, std::int64_t threads)
        : ConvPass(DataType::f32, flops_of(plan)),
          name_(std::move(name)),
          bias_(geometry.bias),
          relu_(geometry.relu),
          correlation_(std::move(plan), threads, layout_) {}
    [[nodiscard]] std::uint64_t workspace() const override { return layout_.size(); }
    [[nodiscard]] std::string name() const override { return name_; }
    [[nodiscard]] bool keeps_packed_weights() const override { return true; }
    void run(const sluice_launch& launch) override {
        correlation_.run(launch, launch.inputs[0], sdk::parameter(launch, 0),
                         {.image = launch.outputs[0],
                          .bias = bias_ ? sdk::parameter(launch, 1) : nullptr,
                          .add = false,
                          .relu = relu_});
    }

private:
    std::string name_;
    Layout layout_;
    bool bias_;
    bool relu_;
    Correlation correlation_;
};

// Calls Correlation::run(launch, output gradient, kernels, ImageTarget). With mirrored edges it computes the gradient
// of the mirrored copy in float32 and folds it back; else it computes the input's gradient directly.
template <class Correlation>
class OwnBackwardData : public ConvPass {
public:
    template <class Plan>
    OwnBackwardData(std::string name, const ConvGeometry& geometry, bool accumulate, Plan plan, std::int64_t threads)
        : ConvPass(DataType::f32, flops_of(plan)),
          name_(std::move(name)),
          geometry_(geometry),
          accumulate_(accumulate),
          staging_(layout_.take(geometry.mirrors() ? geometry.source_gradient().get_size() : 0)),
          correlation_(std::move(plan), threads, layout_) {}
    [[nodiscard]] std::uint64_t workspace() const override { return layout_.size(); }
    [[nodiscard]] std::string name() const override { return name_; }
    void run(const sluice_launch& launch) override {
        void* target = geometry_.mirrors() ? at(launch, staging_) : launch.input_gradients[0];
        correlation_.run(launch, launch.output_gradients[0], sdk::parameter(launch, 0),
                         {.image = target, .bias = nullptr, .add = accumulate_ && !geometry_.mirrors(), .relu = false});
        if (geometry_.mirrors()) {
            store_input_gradient(launch, geometry_, at(launch, staging_), accumulate_);
        }
    }

private:
    std::string name_;
    ConvGeometry geometry_;
    bool accumulate_;
    Layout layout_;
    std::uint64_t staging_;
    Correlation correlation_;
};

// Calls Gradients::run(launch, input, output gradient, KernelTarget).
template <class Gradients>
class OwnBackwardWeights : public ConvPass {
public:
    template <class Plan>
    OwnBackwardWeights(std::string name, const ConvGeometry& geometry, Plan plan, std::int64_t threads)
        : ConvPass(DataType::f32, flops_of(plan)),
          name_(std::move(name)),
          bias_(geometry.bias),
          gradients_(std::move(plan), threads, layout_) {}
    [[nodiscard]] std::uint64_t workspace() const override { return layout_.size(); }
    [[nodiscard]] std::string name() const override { return name_; }
    void run(const sluice_launch& launch) override {
        gradients_.run(launch, launch.inputs[0], launch.output_gradients[0],
                       {.kernels = sdk::parameter_gradient(launch, 0),
                        .bias = bias_ ? sdk::parameter_gradient(launch, 1) : nullptr,
                        .add = launch.accumulate_parameters != 0});
    }

private:
    std::string name_;
    Layout layout_;
    bool bias_;
    Gradients gradients_;
};

}  // namespace sluice::onednn
