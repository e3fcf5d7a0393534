// The weight gradient by oneDNN's own primitive.
#pragma once

#include "conv/geometry.hpp"
#include "conv/pass.hpp"
#include "conv/staged.hpp"
#include "conv/stored_gradient.hpp"

namespace sluice::onednn {

class ConvBackwardWeights : public ConvPass {
public:
    ConvBackwardWeights(const dnnl::engine& engine, const ConvGeometry& geometry,
                        const dnnl::convolution_forward::primitive_desc& forward_desc);
    [[nodiscard]] std::uint64_t workspace() const override { return layout_.size(); }
    [[nodiscard]] std::string name() const override { return desc_.impl_info_str(); }
    void run(const sluice_launch& launch) override;

private:
    ConvGeometry geometry_;
    dnnl::convolution_backward_weights::primitive_desc desc_;
    Layout layout_;
    std::uint64_t copied_;
    StagedInput source_;
    StagedInput gradient_;
    StoredWeightGradient stored_;
    std::uint64_t scratchpad_;
    Operation convolution_;
};

}  // namespace sluice::onednn
