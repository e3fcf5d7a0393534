// A provider of kernels and some layers that it claims, for its cases.
#pragma once

#include <optional>
#include <vector>

#include "check/contract/trial.hpp"
#include "check/numerics/kernel_run.hpp"
#include "check/numerics/providers.hpp"

namespace sluice::check {

class Claimed {
public:
    // Throws NotShown where it claims none, or its device is missing.
    explicit Claimed(Trial& trial);
    [[nodiscard]] const Provider& provider() const { return provider_; }
    // Each of another type.
    [[nodiscard]] const std::vector<NodeCase>& nodes() const { return nodes_; }
    // Of the same types, of other shapes or options.
    [[nodiscard]] const std::vector<NodeCase>& others() const { return others_; }
    // Those that are long enough to be cut into pieces, for threads.
    [[nodiscard]] const std::vector<NodeCase>& large() const { return large_; }
    static Wanted wanted(const NodeCase& node) {
        return {.inputs = node.has_backward() ? node.differentiable_inputs() : 0};
    }
    [[nodiscard]] bool claims(const NodeCase& node, sluice_dtype activations = kFloat32) const;

    // `view`: of the node, in the type that it is to be computed in.
    [[nodiscard]] registry::Kernel plan(const NodeCase& node, const NodeView& view, const Workbench& bench,
                                        bool measures) const;
    // All that a step of it gives.
    [[nodiscard]] KernelResults run(const NodeCase& node) const {
        return run(node, *provider_.bench, provider_.bench->measures());
    }
    [[nodiscard]] KernelResults run(const NodeCase& node, const Workbench& bench, bool measures,
                                    sluice_dtype dtype = kFloat32) const;
    // The same in float32; nothing where it declines to plan what it has claimed, as it may where that is no case of a
    // manifest.
    [[nodiscard]] std::optional<KernelResults> try_run(const NodeCase& node) const;
    // Whether another provider computes it in float64.
    [[nodiscard]] bool is_known_by_others(const NodeCase& node);
    // The same by others in float64; nothing where nobody else computes it.
    [[nodiscard]] std::optional<KernelResults> right_of(const NodeCase& node);
    // What its layers give one by one: in float64, or by itself where nobody computes that. Nothing where it claims one
    // of those in no chain of one.
    [[nodiscard]] std::optional<KernelResults> right_by_layers(const NodeCase& chain);

private:
    [[nodiscard]] std::vector<const Provider*> others_for(const NodeCase& node);
    void add(Trial& trial, const registry::ComponentManifest& layer);
    void add_large(Trial& trial, const registry::Component& type, registry::CheckCase check, std::size_t number);

    Providers providers_;
    const Provider& provider_;
    std::vector<NodeCase> nodes_, others_, large_;
};

}  // namespace sluice::check
