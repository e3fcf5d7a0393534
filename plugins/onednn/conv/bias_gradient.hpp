// The gradient of a convolution's bias: sums over the gradient of its output.
#pragma once

#include "conv/geometry.hpp"
#include "library/workspace.hpp"

namespace sluice::onednn {

class BiasGradient {
public:
    // threads: the most that run() may use.
    BiasGradient(const ConvGeometry& geometry, std::int64_t threads, Layout& workspace);
    // gradient: [N, H, W, O] as it is stored, bias: [O]. add: adds to `bias` instead of overwriting it.
    void run(const sluice_launch& launch, const void* gradient, float* bias, bool add) const;

private:
    template <class Element>
    void sum_up(const sluice_launch& launch, const Element* gradient, double* sums) const;

    DataType type_;
    std::int64_t pixels_;
    std::int64_t filters_;
    std::int64_t threads_;
    std::uint64_t sums_;     // [threads][O] of double
    std::uint64_t scratch_;  // [threads][O]
};

}  // namespace sluice::onednn
