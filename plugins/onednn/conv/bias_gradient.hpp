// The gradient of a convolution's bias: sums over the gradient of its output.
#pragma once

#include "conv/geometry.hpp"
#include "workspace.hpp"

namespace sluice::onednn {

class BiasGradient {
public:
    // threads: that run() may use at most.
    BiasGradient(const ConvGeometry& geometry, std::int64_t threads, Layout& workspace);
    // gradient: [N, H, W, O], bias: [O]. add: to what is there.
    void run(const sluice_launch& launch, const float* gradient, float* bias, bool add) const;

private:
    std::int64_t pixels_;
    std::int64_t filters_;
    std::int64_t threads_;
    std::uint64_t sums_;     // [threads][O] of double
    std::uint64_t scratch_;  // [threads][O]
};

}  // namespace sluice::onednn
