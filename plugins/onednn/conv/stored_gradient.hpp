// The gradients of a convolution's weights and bias: moves them from the layouts that oneDNN writes to the stored ones.
#pragma once

#include "library/operation.hpp"
#include "library/workspace.hpp"
#include "sluice/sdk/kernel.hpp"

namespace sluice::onednn {

class StoredWeightGradient {
public:
    // written, bias: as oneDNN writes them; an empty bias means none. canonical: as the gradient of the weights is
    // stored.
    StoredWeightGradient(const dnnl::engine& engine, const Md& written, const Md& bias, const Md& canonical,
                         Layout& workspace);

    // Memory in the workspace, for oneDNN to write.
    [[nodiscard]] float* weights(const sluice_launch& launch) const { return at(launch, weights_); }
    [[nodiscard]] float* bias(const sluice_launch& launch) const { return at(launch, bias_); }

    // Writes the wanted gradients, or adds to them. Call it after oneDNN has written.
    void store(const sluice_launch& launch);

private:
    std::int64_t filters_;  // 0 without bias
    std::uint64_t weights_;
    std::uint64_t bias_;
    Operation write_;  // to the canonical layout
    Operation add_;    // same, but adds to the gradient
};

}  // namespace sluice::onednn
