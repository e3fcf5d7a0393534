// The gradients of a convolution's weights and bias as oneDNN writes them, brought to where they belong.
#pragma once

#include "operation.hpp"
#include "sluice/sdk/kernel.hpp"
#include "workspace.hpp"

namespace sluice::onednn {

class StoredWeightGradient {
public:
    // written, bias: as oneDNN writes them, an empty bias for none. canonical: as the gradient of weights is stored.
    StoredWeightGradient(const dnnl::engine& engine, const Md& written, const Md& bias, const Md& canonical,
                         Layout& workspace);

    // Where oneDNN writes.
    [[nodiscard]] float* weights(const sluice_launch& launch) const { return at(launch, weights_); }
    [[nodiscard]] float* bias(const sluice_launch& launch) const { return at(launch, bias_); }

    // After that: writes those gradients that are wanted, or adds to them.
    void store(const sluice_launch& launch);

private:
    std::int64_t filters_;  // 0 without bias
    std::uint64_t weights_;
    std::uint64_t bias_;
    Operation write_;  // to the canonical layout
    Operation add_;    // the same, adding to what is there
};

}  // namespace sluice::onednn
