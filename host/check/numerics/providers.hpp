// The kernel providers of the registry, opened on their devices when they are first asked for.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "check/findings/finding.hpp"
#include "check/numerics/node_case.hpp"
#include "check/numerics/workbench.hpp"
#include "registry/objects/kernel.hpp"

namespace sluice::check {

struct Provider {
    std::string name;
    const Workbench* bench = nullptr;
    std::optional<registry::KernelProvider> kernels;  // nothing: `reason` says why not
    Result without = Result::skipped;                 // the result to report then; a missing device is no failure
    std::string reason;
};

// True if the provider claims the layer, or the chain, in float64.
bool claims_float64(const Provider& provider, const NodeCase& node);

class Providers {
public:
    explicit Providers(const registry::Registry& registry) : registry_(registry) {}
    // Opens the provider with default options, unless it is open with other options already.
    [[nodiscard]] const Provider& get(const registry::ComponentManifest& manifest);
    [[nodiscard]] const Provider& get(const registry::ComponentManifest& manifest, const Table& options);
    // Returns the provider of the expected results for each layer of the chain: "reference" if it claims the layer in
    // float64, else the first provider that does. Empty if there is none for one of the layers.
    [[nodiscard]] std::vector<const Provider*> oracles(const NodeCase& node);

private:
    // NULL if no provider claims the layer in float64.
    const Provider* oracle(const NodeCase& layer);
    // Throws Error if there is no such device.
    const Workbench& bench(const std::string& device);
    void open(Provider& provider, const registry::ComponentManifest& manifest, const Table& options);

    const registry::Registry& registry_;
    std::map<std::string, std::unique_ptr<Workbench>> benches_;
    std::map<const registry::ComponentManifest*, Provider> providers_;
};

}  // namespace sluice::check
