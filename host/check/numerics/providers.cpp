#include "check/numerics/providers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"

namespace sluice::check {

bool claims_float64(const Provider& provider, const NodeCase& node) {
    const NodeView view(node, kFloat64, {.inputs = node.has_backward() ? node.differentiable_inputs() : 0});
    return provider.kernels && !provider.kernels->refuses(view.chain());
}

const Provider& Providers::get(const registry::ComponentManifest& manifest) { return get(manifest, {}); }

const Provider& Providers::get(const registry::ComponentManifest& manifest, const Table& options) {
    const auto [at, is_new] = providers_.try_emplace(&manifest);
    if (is_new) {
        open(at->second, manifest, options);
    }
    return at->second;
}

std::vector<const Provider*> Providers::oracles(const NodeCase& node) {
    std::vector<const Provider*> all;
    for (std::size_t i = 0; i < node.links().size(); ++i) {
        const Provider* const one = oracle(node.alone(i));
        if (one == nullptr) {
            return {};
        }
        all.push_back(one);
    }
    return all;
}

const Provider* Providers::oracle(const NodeCase& layer) {
    auto manifests = registry_.list(registry::Kind::kernel);
    std::stable_partition(manifests.begin(), manifests.end(),
                          [](const auto* manifest) { return manifest->provides == "reference"; });
    for (const registry::ComponentManifest* manifest : manifests) {
        if (const Provider& provider = get(*manifest); claims_float64(provider, layer)) {
            return &provider;
        }
    }
    return nullptr;
}

const Workbench& Providers::bench(const std::string& device) {
    std::unique_ptr<Workbench>& bench = benches_[device];
    if (bench == nullptr) {
        const registry::Component component = registry_.find(registry::Kind::device, device, {});
        if (registry::Device::count(component) == 0) {
            throw Error(Exit::device, fmt::format("this machine has no device of kind '{}'", device));
        }
        const Table options = registry_.options(component, {.use = device, .origin = {}, .options = {}});
        bench = std::make_unique<Workbench>(std::make_shared<registry::Device>(component, options, 0));
    }
    return *bench;
}

void Providers::open(Provider& provider, const registry::ComponentManifest& manifest, const Table& options) {
    provider.name = manifest.provides;
    try {
        provider.bench = &bench(manifest.device.empty() ? "cpu" : manifest.device);
    } catch (const Error& error) {
        provider.reason = error.what();
        return;
    }
    try {
        const registry::Component component =
            registry_.find(registry::Kind::kernel, manifest.provides, {}, manifest.device);
        if (component.manifest != &manifest) {
            provider.reason = fmt::format("{} takes precedence under this name", component.label);
            return;
        }
        const Table complete =
            registry_.options(component, {.use = manifest.provides, .origin = {}, .options = options});
        provider.kernels.emplace(component, complete, *provider.bench->device());
    } catch (const Error& error) {
        provider.without = error.exit() == Exit::device ? Result::skipped : Result::failed;
        provider.reason = error.what();
    }
}

}  // namespace sluice::check
