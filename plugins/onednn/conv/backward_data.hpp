// The gradient of a convolution's input.
#pragma once

#include "conv/geometry.hpp"
#include "conv/packed_weights.hpp"
#include "workspace.hpp"

namespace sluice::onednn {

class ConvBackwardData {
public:
    // accumulate: the gradient is added to what is there.
    ConvBackwardData(const dnnl::engine& engine, const ConvGeometry& geometry,
                     const dnnl::convolution_backward_data::primitive_desc& desc, bool accumulate);
    [[nodiscard]] std::uint64_t workspace() const { return layout_.size(); }
    void run(const sluice_launch& launch);

private:
    ConvGeometry geometry_;
    bool accumulate_;
    bool staged_;  // oneDNN writes to the workspace, and a second pass moves the result to its place
    Layout layout_;
    std::uint64_t staging_;
    std::uint64_t scratchpad_;
    PackedWeights weights_;
    Operation convolution_;
};

}  // namespace sluice::onednn
