// The forward pass of a convolution.
#pragma once

#include <string>

#include "conv/geometry.hpp"
#include "conv/packed_weights.hpp"
#include "conv/pass.hpp"
#include "conv/staged.hpp"

namespace sluice::onednn {

class ConvForward : public ConvPass {
public:
    ConvForward(const dnnl::engine& engine, const ConvGeometry& geometry,
                const dnnl::convolution_forward::primitive_desc& desc);
    [[nodiscard]] std::uint64_t workspace() const override { return layout_.size(); }
    [[nodiscard]] std::string name() const override { return name_; }
    [[nodiscard]] bool keeps_packed_weights() const override { return weights_.is_copy(); }
    void run(const sluice_launch& launch) override;

private:
    std::string name_;
    ConvGeometry geometry_;
    Layout layout_;
    std::uint64_t source_;
    std::uint64_t scratchpad_;
    PackedWeights weights_;
    Operation convolution_;
    StagedOutput result_;
};

}  // namespace sluice::onednn
