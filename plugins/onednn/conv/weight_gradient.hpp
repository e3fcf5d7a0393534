// The gradients of a convolution's weights and bias: the interface, and the choice of the way that is fastest.
#pragma once

#include <memory>
#include <string>

#include "conv/geometry.hpp"

namespace sluice::onednn {

class WeightGradient {
public:
    virtual ~WeightGradient() = default;
    [[nodiscard]] virtual std::uint64_t workspace() const = 0;
    [[nodiscard]] virtual std::string name() const = 0;
    // Writes or adds to the parameter gradients that are wanted.
    virtual void run(const sluice_launch& launch) = 0;
};

std::unique_ptr<WeightGradient> make_weight_gradient(const dnnl::engine& engine, const ConvGeometry& geometry,
                                                     const dnnl::convolution_forward::primitive_desc& forward_desc);

// Which layout of the activations is the faster one for weight gradients: nhwc, or any.
dnnl::memory::format_tag weight_gradient_layout(const ConvGeometry& geometry);

}  // namespace sluice::onednn
