// The gradient of a convolution's input.
#pragma once

#include "conv/geometry.hpp"
#include "conv/packed_weights.hpp"
#include "conv/pass.hpp"
#include "conv/staged.hpp"

namespace sluice::onednn {

class ConvBackwardData : public ConvPass {
public:
    // accumulate: adds to the input's gradient instead of overwriting it.
    ConvBackwardData(const dnnl::engine& engine, const ConvGeometry& geometry,
                     const dnnl::convolution_forward::primitive_desc& forward_desc, bool accumulate);
    [[nodiscard]] std::uint64_t workspace() const override { return layout_.size(); }
    [[nodiscard]] std::string name() const override { return name_; }
    void run(const sluice_launch& launch) override;

private:
    ConvBackwardData(const dnnl::engine& engine, const ConvGeometry& geometry,
                     const dnnl::convolution_backward_data::primitive_desc& desc, bool accumulate);

    std::string name_;
    ConvGeometry geometry_;
    bool accumulate_;
    bool staged_;  // oneDNN writes to the workspace in float32, and a second pass moves the result to its place
    Layout layout_;
    std::uint64_t staging_;
    std::uint64_t scratchpad_;
    PackedWeights weights_;
    StagedInput gradient_;
    Operation convolution_;
};

}  // namespace sluice::onednn
