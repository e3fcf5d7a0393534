// One layer on one case of its manifest, or the chain that begins with it, in one mode: shapes and options, and the
// view of it that kernels get.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "registry/loading/registry.hpp"
#include "registry/objects/objects.hpp"

namespace sluice::check {

// The types of activations that checks run in.
inline constexpr std::array kActivations{kFloat32, kFloat64, kBfloat16, kFloat16};

// Of a chain: inputs from outside, outputs of the last layer, parameters and states of all, in the chain's order.
struct NodeSpecs {
    std::vector<sluice_tensor_spec> inputs, outputs, parameters, states;
};

// Which gradients backward is asked for.
struct Wanted {
    std::uint64_t inputs = 0;  // bit i: that of input i
    bool accumulate = false;   // they, and those of the parameters, are added to what is there
};

class NodeCase {
public:
    // One layer of the case by itself; inputs are its own, whoever feeds them.
    struct Link {
        std::string type;
        Table options;
        sluice_layer_traits traits{};
        std::int32_t chained_input = -1;
        // Where activations are of one of kActivations, by its place there.
        std::array<NodeSpecs, kActivations.size()> specs;
        std::vector<registry::StateInfo> states;
    };

    // `number` counts the cases of the manifest from 1.
    NodeCase(const registry::Registry& registry, const registry::Component& type, const registry::CheckCase& check,
             std::size_t number, bool trains);
    // Layer `index` of the chain, alone.
    [[nodiscard]] NodeCase alone(std::size_t index) const;
    // The same, but of activations of 16 bits the last layer gives float32, as it does where it makes a model's output.
    [[nodiscard]] NodeCase giving_float32() const;

    [[nodiscard]] const std::string& type() const { return links_.front().type; }
    // "case 2 ([1, 6, 7, 3] float32; filters = 2; then relu), train"
    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] bool trains() const { return trains_; }
    [[nodiscard]] std::int32_t role() const { return links_.back().traits.role; }
    // Of the first layer.
    [[nodiscard]] const sluice_layer_traits& traits() const { return links_.front().traits; }
    // In evaluation the plan leaves such a layer out: no kernel is asked for it.
    [[nodiscard]] bool is_left_out() const;
    [[nodiscard]] const std::vector<Link>& links() const { return links_; }
    // Shapes and types where activations are of this type, one of kActivations.
    [[nodiscard]] const NodeSpecs& specs(sluice_dtype activations) const;
    [[nodiscard]] const std::vector<registry::StateInfo>& states() const { return states_; }
    // Layer i of the chain draws from stream + i, alone as in the chain.
    [[nodiscard]] std::uint64_t random_stream() const { return random_stream_; }

    [[nodiscard]] bool has_backward() const;
    // Bits of the inputs that can have a gradient.
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

// The ABI's view of a case; the case outlives it.
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
