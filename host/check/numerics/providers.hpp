// The kernel providers of the registry, opened on their devices when they are first asked for.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "check/findings/finding.hpp"
#include "check/numerics/node_case.hpp"
#include "check/numerics/workbench.hpp"

namespace sluice::check {

struct Provider {
    std::string name;
    const Workbench* bench = nullptr;
    std::optional<registry::KernelProvider> kernels;  // nothing: `reason` says why not
    Result without = Result::skipped;                 // what that is worth: no device is no failure
    std::string reason;
};

// Whether it computes the layer, or the chain, in float64.
bool claims_float64(const Provider& provider, const NodeCase& node);

class Providers {
public:
    explicit Providers(const registry::Registry& registry) : registry_(registry) {}
    // With default options, where it was not asked for with others before.
    [[nodiscard]] const Provider& get(const registry::ComponentManifest& manifest);
    [[nodiscard]] const Provider& get(const registry::ComponentManifest& manifest, const Table& options);
    // Who tells what is right, for each layer of the chain: "reference" where it claims it in float64, else the first
    // provider that does. Empty where none does for one of them.
    [[nodiscard]] std::vector<const Provider*> oracles(const NodeCase& node);

private:
    // NULL where none claims the layer.
    const Provider* oracle(const NodeCase& layer);
    // Throws Error where there is no such device.
    const Workbench& bench(const std::string& device);
    void open(Provider& provider, const registry::ComponentManifest& manifest, const Table& options);

    const registry::Registry& registry_;
    std::map<std::string, std::unique_ptr<Workbench>> benches_;
    std::map<const registry::ComponentManifest*, Provider> providers_;
};

}  // namespace sluice::check
