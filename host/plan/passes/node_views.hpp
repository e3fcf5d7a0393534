// The ABI's view of a graph's nodes, which kernel providers get.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "plan/graph.hpp"
#include "registry/loading/abi_conversion.hpp"
#include "sluice/kind/kernel.h"

namespace sluice::plan {

// One node. It owns all that the struct points to, except the node's texts, which it borrows.
class NodeView {
public:
    NodeView(const Graph& graph, const Node& node, bool deterministic);
    [[nodiscard]] const sluice_node& get() const { return view_; }
    [[nodiscard]] sluice_node& get() { return view_; }
    // Sets the types of all floating-point inputs and outputs.
    void store_floats_as(sluice_dtype inputs, sluice_dtype outputs);
    NodeView(const NodeView&) = delete;
    NodeView& operator=(const NodeView&) = delete;
    NodeView(NodeView&&) = delete;
    NodeView& operator=(NodeView&&) = delete;
    ~NodeView() = default;

private:
    registry::OptionTree options_;
    std::vector<sluice_tensor_spec> inputs_, outputs_, parameters_, states_;
    sluice_node view_{};
};

// Views of all nodes of a graph, which has to outlive them.
class NodeViews {
public:
    NodeViews(const Graph& graph, bool deterministic);

    // The view of a chain; chained_input depends on it.
    [[nodiscard]] std::vector<sluice_node> chain(std::span<const std::size_t> nodes) const;

    // Marks gradients that are added to. Backward runs chains, and nodes within them, from last to first: the first to
    // reach a tensor writes its gradient, the others add to it.
    void mark_accumulation(std::span<const std::vector<std::size_t>> chains);

private:
    [[nodiscard]] std::int32_t position(std::size_t node, TensorId tensor) const;
    void mark_accumulation(std::size_t node, std::vector<bool>& written);

    const Graph& graph_;
    std::deque<NodeView> views_;
};

}  // namespace sluice::plan
