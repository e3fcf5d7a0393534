// The forward pass of a convolution.
#pragma once

#include <string>

#include "conv/geometry.hpp"
#include "conv/packed_weights.hpp"
#include "workspace.hpp"

namespace sluice::onednn {

class ConvForward {
public:
    ConvForward(const dnnl::engine& engine, const ConvGeometry& geometry,
                const dnnl::convolution_forward::primitive_desc& desc);
    [[nodiscard]] std::uint64_t workspace() const { return layout_.size(); }
    void run(const sluice_launch& launch);

private:
    ConvGeometry geometry_;
    Layout layout_;
    std::uint64_t mirrored_;
    std::uint64_t scratchpad_;
    PackedWeights weights_;
    Operation convolution_;
};

}  // namespace sluice::onednn
