#include "check/cases/claimed_layers.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "check/numerics/node_by_node.hpp"

namespace sluice::check {

ClaimedLayers::ClaimedLayers(Trial& trial)
    : providers_(trial.registry()), provider_(providers_.get(trial.manifest(), trial.options())) {
    if (!provider_.kernels) {
        if (provider_.without == Result::skipped) {
            throw CaseSkipped(provider_.reason);
        }
        throw Error(Exit::plugin, provider_.reason);
    }
    constexpr std::size_t kMost = 5;
    for (const registry::ComponentManifest* layer : trial.registry().list(registry::Kind::layer)) {
        if (nodes_.size() < kMost) {
            add(trial, *layer);
        }
    }
    if (nodes_.empty()) {
        throw CaseSkipped("the provider claims none of the installed layers on the cases of their manifests");
    }
}

bool ClaimedLayers::claims(const NodeCase& node, sluice_dtype activations) const {
    return !provider_.kernels->refuses(NodeView(node, activations, wanted(node)).chain());
}

registry::Kernel ClaimedLayers::plan(const NodeCase& node, const NodeView& view, const Workbench& bench,
                                     bool measures) const {
    registry::TuningCache choices({}, measures);
    std::string refusal;
    auto kernel = provider_.kernels->plan(view.chain(), node.name(), {bench.threads(), &choices}, refusal);
    expect(kernel.has_value(), "supports() claims a layer, but plan() declines it: " + refusal);
    return std::move(*kernel);
}

KernelResults ClaimedLayers::run(const NodeCase& node, const Workbench& bench, bool measures,
                                 sluice_dtype dtype) const {
    const NodeView view(node, dtype, wanted(node));
    const registry::Kernel kernel = plan(node, view, bench, measures);
    return KernelRun(bench, kernel, node, dtype, wanted(node)).step(make_values(node), {});
}

std::optional<KernelResults> ClaimedLayers::try_run(const NodeCase& node) const {
    const NodeView view(node, kFloat32, wanted(node));
    const Workbench& bench = *provider_.bench;
    registry::TuningCache choices({}, false);
    std::string refusal;
    const auto kernel = provider_.kernels->plan(view.chain(), node.name(), {bench.threads(), &choices}, refusal);
    return kernel ? std::optional(KernelRun(bench, *kernel, node, kFloat32, wanted(node)).step(make_values(node), {}))
                  : std::nullopt;
}

// Empty if one of the node's layers has no oracle, or if this provider is the oracle.
std::vector<const Provider*> ClaimedLayers::others_for(const NodeCase& node) {
    std::vector<const Provider*> oracles = providers_.oracles(node);
    return std::ranges::count(oracles, &provider_) > 0 ? std::vector<const Provider*>() : oracles;
}

bool ClaimedLayers::has_other_provider(const NodeCase& node) { return !others_for(node).empty(); }

std::optional<KernelResults> ClaimedLayers::expected_results(const NodeCase& node) {
    const std::vector<const Provider*> oracles = others_for(node);
    return oracles.empty() ? std::nullopt : std::optional(run_node_by_node(node, make_values(node), oracles));
}

std::optional<KernelResults> ClaimedLayers::expected_by_layers(const NodeCase& chain) {
    std::vector<const Provider*> oracles;
    for (std::size_t i = 0; i < chain.links().size(); ++i) {
        const NodeCase layer = chain.alone(i);
        const std::vector<const Provider*> one = providers_.oracles(layer);
        if (one.empty() && !claims(layer)) {
            return std::nullopt;
        }
        oracles.push_back(one.empty() ? &provider_ : one.front());
    }
    return run_node_by_node(chain, make_values(chain), oracles);
}

void ClaimedLayers::add(Trial& trial, const registry::ComponentManifest& layer) {
    const registry::Component type = trial.registry().find(registry::Kind::layer, layer.provides, {});
    bool has_one = false;
    for (std::size_t i = 0; i < layer.checks.size(); ++i) {
        const NodeCase node(trial.registry(), type, layer.checks[i], i + 1, true);
        if (!claims(node)) {
            continue;
        }
        (has_one ? others_ : nodes_).push_back(node);
        if (has_one) {
            return;
        }
        has_one = true;
        add_large(trial, type, layer.checks[i], i + 1);
    }
}

// Adds the case with many more samples, if the layer accepts them and the provider claims it.
void ClaimedLayers::add_large(Trial& trial, const registry::Component& type, registry::CheckCase check,
                              std::size_t number) {
    constexpr std::int64_t kMany = 70001;  // elements; parallel_for splits them into pieces of unequal length
    std::int64_t largest = 1;
    for (const sluice_tensor_spec& spec : check.inputs) {
        largest = std::max(largest, element_count(spec));
    }
    for (sluice_tensor_spec& spec : check.inputs) {
        spec.shape[0] *= spec.rank > 0 ? kMany / largest + 1 : 1;
    }
    try {
        const NodeCase node(trial.registry(), type, check, number, true);
        if (claims(node)) {
            large_.push_back(node);
        }
    } catch (const Error&) {
        // the layer needs its own batch size
    }
}

}  // namespace sluice::check
