#include "check/providers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"

namespace sluice::check {
namespace {

bool claims(const Provider& provider, const NodeCase& node) {
    const NodeView view(node, kFloat64, {.inputs = node.has_backward() ? node.differentiable_inputs() : 0});
    return provider.kernels && !provider.kernels->refuses(view.chain());
}

}  // namespace

Providers::Providers(const registry::Registry& registry) {
    for (const registry::ComponentManifest* manifest : registry.list(registry::Kind::kernel)) {
        providers_.push_back(open(registry, *manifest));
    }
    std::ranges::stable_partition(providers_, [](const Provider& p) { return p.name == "reference"; });
}

const Provider* Providers::oracle(const NodeCase& node) const {
    const auto found = std::ranges::find_if(providers_, [&](const Provider& p) { return claims(p, node); });
    return found == providers_.end() ? nullptr : &*found;
}

const Workbench& Providers::bench(const registry::Registry& registry, const std::string& device) {
    std::unique_ptr<Workbench>& bench = benches_[device];
    if (bench == nullptr) {
        const registry::Component component = registry.find(registry::Kind::device, device, {});
        if (registry::Device::count(component) == 0) {
            throw Error(Exit::device, fmt::format("no device of kind '{}' is in this machine", device));
        }
        const Table options = registry.options(component, {.use = device, .origin = {}, .options = {}});
        bench = std::make_unique<Workbench>(std::make_shared<registry::Device>(component, options, 0));
    }
    return *bench;
}

Provider Providers::open(const registry::Registry& registry, const registry::ComponentManifest& manifest) {
    Provider provider;
    provider.name = manifest.provides;
    provider.id = manifest.id;
    try {
        provider.bench = &bench(registry, manifest.device.empty() ? "cpu" : manifest.device);
    } catch (const Error& error) {
        provider.reason = error.what();
        return provider;
    }
    try {
        const registry::Component component =
            registry.find(registry::Kind::kernel, manifest.provides, {}, manifest.device);
        if (component.manifest != &manifest) {
            provider.reason = fmt::format("{} comes first under this name", component.label);
            return provider;
        }
        const Table options = registry.options(component, {.use = manifest.provides, .origin = {}, .options = {}});
        provider.kernels.emplace(component, options, *provider.bench->device());
    } catch (const Error& error) {
        provider.without = error.exit() == Exit::device ? Result::skipped : Result::failed;
        provider.reason = error.what();
    }
    return provider;
}

}  // namespace sluice::check
