// A kernel provider and some layers that it claims, for the provider's cases.
#pragma once

#include <optional>
#include <vector>

#include "check/contract/trial.hpp"
#include "check/numerics/kernel_run.hpp"
#include "check/numerics/providers.hpp"
#include "registry/objects/kernel.hpp"

namespace sluice::check {

class ClaimedLayers {
public:
    // Throws CaseSkipped if the provider claims no layer, or if its device is missing.
    explicit ClaimedLayers(Trial& trial);
    [[nodiscard]] const Provider& provider() const { return provider_; }
    // One claimed case of each layer type, for at most five types.
    [[nodiscard]] const std::vector<NodeCase>& nodes() const { return nodes_; }
    // A second claimed case of these types, with other shapes or options.
    [[nodiscard]] const std::vector<NodeCase>& others() const { return others_; }
    // Cases with so many samples that parallel_for splits them among threads.
    [[nodiscard]] const std::vector<NodeCase>& large() const { return large_; }
    static Wanted wanted(const NodeCase& node) {
        return {.inputs = node.has_backward() ? node.differentiable_inputs() : 0};
    }
    [[nodiscard]] bool claims(const NodeCase& node, sluice_dtype activations = kFloat32) const;

    // `view` is that of `node`, in the type to compute in. Throws Broken if plan() declines.
    [[nodiscard]] registry::Kernel plan(const NodeCase& node, const NodeView& view, const Workbench& bench,
                                        bool measures) const;
    // Runs one step and returns all of its results.
    [[nodiscard]] KernelResults run(const NodeCase& node) const {
        return run(node, *provider_.bench, provider_.bench->measures());
    }
    [[nodiscard]] KernelResults run(const NodeCase& node, const Workbench& bench, bool measures,
                                    sluice_dtype dtype = kFloat32) const;
    // Runs a step in float32. Returns nothing if plan() declines a claimed node, which is allowed unless the node is a
    // case of a manifest.
    [[nodiscard]] std::optional<KernelResults> try_run(const NodeCase& node) const;
    // True if other providers compute every layer of the node in float64.
    [[nodiscard]] bool has_other_provider(const NodeCase& node);
    // Returns the results of other providers in float64; nothing if there are none.
    [[nodiscard]] std::optional<KernelResults> expected_results(const NodeCase& node);
    // Returns the results of the chain's layers run one by one, each by an oracle in float64 or else by this provider.
    // Returns nothing if a layer has no oracle and the provider does not claim it alone.
    [[nodiscard]] std::optional<KernelResults> expected_by_layers(const NodeCase& chain);

private:
    [[nodiscard]] std::vector<const Provider*> others_for(const NodeCase& node);
    void add(Trial& trial, const registry::ComponentManifest& layer);
    void add_large(Trial& trial, const registry::Component& type, registry::CheckCase check, std::size_t number);

    Providers providers_;
    const Provider& provider_;
    std::vector<NodeCase> nodes_, others_, large_;
};

}  // namespace sluice::check
