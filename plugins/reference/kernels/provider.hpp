// The kernel provider "reference": plain loops for every layer type of this plugin, one node at a time, in float32 or
// float64 with sums in float64. `host check` compares other kernels with it, and it is the fallback if no faster
// provider accepts a layer.
#pragma once

#include "sluice/sdk/kernel.hpp"

namespace sluice::reference {

class ReferenceProvider : public sdk::KernelProvider {
public:
    ReferenceProvider(sdk::Host, const sdk::Options&, sluice_device_ref) {}
    [[nodiscard]] std::optional<std::string> refuses(const sdk::Chain& chain) const override;
    [[nodiscard]] std::unique_ptr<sdk::Kernel> plan(const sdk::Chain& chain, const sdk::KernelSink& sink) override;
};

}  // namespace sluice::reference
