// A layer type of which one call hangs, and its kernel provider.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "sluice/sdk/plugin.hpp"

namespace sluice::test {

class StallLayer : public sdk::Layer {
public:
    StallLayer(sdk::Host, const sdk::Options&) {}

    [[nodiscard]] sluice_layer_traits traits() const override;
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;
};

class StallKernels : public sdk::KernelProvider {
public:
    StallKernels(sdk::Host, const sdk::Options&, sluice_device_ref) {}

    [[nodiscard]] std::optional<std::string> refuses(const sdk::Chain& chain) const override;
    [[nodiscard]] std::unique_ptr<sdk::Kernel> plan(const sdk::Chain& chain, const sdk::KernelSink& sink) override;
};

}  // namespace sluice::test
