// The provider: which chains of layers this plugin computes, and the kernel for each.
#pragma once

#include "library/onednn_api.hpp"
#include "sluice/sdk/kernel.hpp"
#include "sluice/sdk/libraries.hpp"

namespace sluice::onednn {

class Provider : public sdk::KernelProvider {
public:
    static std::vector<sdk::Library> libraries();
    Provider(const sdk::Host& host, const sdk::Options& options, sluice_device_ref device);
    [[nodiscard]] std::optional<std::string> refuses(const sdk::Chain& chain) const override;
    [[nodiscard]] std::unique_ptr<sdk::Kernel> plan(const sdk::Chain& chain, const sdk::KernelSink& sink) override;

private:
    dnnl::engine engine_;
    bool winograd_;
};

}  // namespace sluice::onednn
