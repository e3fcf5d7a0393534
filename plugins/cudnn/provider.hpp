// Decides which chains this plugin computes, and makes their kernels.
#pragma once

#include "conv/planner.hpp"
#include "device/libraries.hpp"
#include "sluice/sdk/kernel.hpp"

namespace sluice::cudnn {

class Provider : public sdk::KernelProvider {
public:
    static std::vector<sdk::Library> libraries() { return list_libraries(); }
    Provider(const sdk::Host& host, const sdk::Options& options, sluice_device_ref device);
    [[nodiscard]] std::optional<std::string> refuses(const sdk::Chain& chain) const override;
    [[nodiscard]] std::unique_ptr<sdk::Kernel> plan(const sdk::Chain& chain, const sdk::KernelSink& sink) override;

private:
    Planner planner_;
    std::int64_t most_elements_;  // most elements of a tensor; indices on the device have no more bits
};

}  // namespace sluice::cudnn
