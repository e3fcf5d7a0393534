// One layer on one case of its manifest, or the chain that begins with it, in training or in evaluation. Holds shapes
// and options, and makes the view that kernels get.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "registry/loading/abi_conversion.hpp"
#include "registry/loading/registry.hpp"
#include "registry/objects/layer.hpp"
#include "sluice/kind/kernel.h"

namespace sluice::check {

// The activation types that checks use.
inline constexpr std::array kActivations{kFloat32, kFloat64, kBfloat16, kFloat16};

// The tensors of a chain: inputs from outside, outputs of the last layer, and parameters and states of all layers in
// order.
struct NodeSpecs {
    std::vector<sluice_tensor_spec> inputs, outputs, parameters, states;
};

// The gradients that backward is asked for.
struct Wanted {
    std::uint64_t inputs = 0;  // bit i: the gradient of input i
    bool accumulate = false;   // these and the parameters' gradients are added to the buffers' contents
};

class NodeCase {
public:
    // One layer of the chain. Its inputs include the one that the previous layer feeds.
    struct Link {
        std::string type;
        Table options;
        sluice_layer_traits traits{};
        std::int32_t chained_input = -1;
        // Specs for each activation type, in the order of kActivations.
        std::array<NodeSpecs, kActivations.size()> specs;
        std::vector<registry::StateInfo> states;
    };

    // `number` counts the cases of the manifest from 1.
    NodeCase(const registry::Registry& registry, const registry::Component& type, const registry::CheckCase& check,
             std::size_t number, bool trains);
    // The case of layer `index` of the chain, alone.
    [[nodiscard]] NodeCase alone(std::size_t index) const;
    // The same case, but with 16-bit activations the last layer outputs float32, as for the output of a model.
    [[nodiscard]] NodeCase with_float32_output() const;

    [[nodiscard]] const std::string& type() const { return links_.front().type; }
    // "case 2 ([1, 6, 7, 3] float32; filters = 2; then relu), train"
    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] bool trains() const { return trains_; }
    [[nodiscard]] std::int32_t role() const { return links_.back().traits.role; }
    // The traits of the first layer.
    [[nodiscard]] const sluice_layer_traits& traits() const { return links_.front().traits; }
    // True if a plan leaves the layer out in evaluation, so that no kernel is asked for it.
    [[nodiscard]] bool is_omitted_in_evaluation() const;
    [[nodiscard]] const std::vector<Link>& links() const { return links_; }
    // Shapes and types for activations of this type, which must be one of kActivations.
    [[nodiscard]] const NodeSpecs& specs(sluice_dtype activations) const;
    [[nodiscard]] const std::vector<registry::StateInfo>& states() const { return states_; }
    // Layer i of the chain draws from random stream random_stream() + i, even when it runs alone.
    [[nodiscard]] std::uint64_t random_stream() const { return random_stream_; }

    [[nodiscard]] bool has_backward() const;
    // Bit i is set if input i can have a gradient.
    [[nodiscard]] std::uint64_t differentiable_inputs() const;

private:
    NodeCase() = default;
    void add(const registry::Component& type, Table options, std::int32_t chained_input,
             const std::vector<sluice_tensor_spec>& inputs);
    void gather();

    std::string name_;
    bool trains_ = false;
    std::uint64_t random_stream_ = 0;
    std::vector<Link> links_;
    std::vector<registry::StateInfo> states_;
    std::array<NodeSpecs, kActivations.size()> specs_;
};

// The ABI's view of a case. The case must outlive it.
class NodeView {
public:
    NodeView(const NodeCase& node, sluice_dtype activations, const Wanted& wanted);
    NodeView(const NodeView&) = delete;
    NodeView& operator=(const NodeView&) = delete;
    [[nodiscard]] std::span<const sluice_node> chain() const { return nodes_; }

private:
    void add(const NodeCase::Link& link, const NodeSpecs& specs);

    std::deque<registry::OptionTree> options_;
    std::vector<sluice_node> nodes_;
};

}  // namespace sluice::check
