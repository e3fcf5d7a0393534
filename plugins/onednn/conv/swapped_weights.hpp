// The weight gradient of a stride-1 convolution with few filters. Source and gradient swap their roles.
//
// oneDNN's primitive fills vectors with filters, so 3 filters waste 13 of 16 lanes. But the sum over pixels p
//   dW[o, y, x, i] = sum G[p, o] * X[p + (y, x) - before, i]
// is, with q = p + (y, x) - before, the weight gradient of another convolution, with G as its source and X as the
// gradient of its result: dV[i, kernel - 1 - y, kernel - 1 - x, o]. There, the vectors hold input channels. G is padded
// by kernel - 1 - before; here a copy does that, because oneDNN is slow with wide padding.
#pragma once

#include "conv/bias_gradient.hpp"
#include "conv/geometry.hpp"
#include "conv/pass.hpp"
#include "conv/plain_gradient.hpp"

namespace sluice::onednn {

class SwappedWeights : public ConvPass {
public:
    // threads: the most that a launch may use.
    SwappedWeights(const dnnl::engine& engine, const ConvGeometry& geometry, std::int64_t threads);
    [[nodiscard]] std::uint64_t workspace() const override { return layout_.size(); }
    [[nodiscard]] std::string name() const override { return desc_.impl_info_str() + std::string(" (roles swapped)"); }
    void run(const sluice_launch& launch) override;

private:
    void store_weights(const float* swapped, float* gradient, bool accumulate) const;

    ConvGeometry geometry_;
    dnnl::convolution_backward_weights::primitive_desc desc_;
    Layout layout_;
    std::uint64_t copied_;
    std::uint64_t padded_;
    PlainWeightGradient weights_;  // [I, kh, kw, O]
    std::uint64_t padded_bytes_;
    Operation pad_;  // copies the gradient into the middle of its padded copy
    BiasGradient bias_;
};

}  // namespace sluice::onednn
