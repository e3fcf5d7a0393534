// One layer on one case of its manifest, in one mode: shapes and options, and the view of it that kernels get.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "registry/objects.hpp"

namespace sluice::check {

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
    // `number` counts the cases of the manifest from 1.
    NodeCase(const registry::Component& type, const registry::CheckCase& check, std::size_t number, bool trains);

    [[nodiscard]] const std::string& type() const { return type_; }
    // "case 2 ([1, 6, 7, 3] float32; filters = 2), train"
    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] bool trains() const { return trains_; }
    [[nodiscard]] std::int32_t role() const { return traits_.role; }
    // In evaluation the plan leaves such a layer out: no kernel is asked for it.
    [[nodiscard]] bool is_left_out() const;
    [[nodiscard]] const Table& options() const { return options_; }
    // Shapes and types where activations are float32 or float64.
    [[nodiscard]] const NodeSpecs& specs(sluice_dtype activations) const;
    [[nodiscard]] const std::vector<registry::StateInfo>& states() const { return states_; }

    [[nodiscard]] bool has_backward() const;
    // Bits of the inputs that can have a gradient.
    [[nodiscard]] std::uint64_t differentiable_inputs() const;

private:
    [[nodiscard]] NodeSpecs infer(const registry::Layer& layer, sluice_dtype activations);

    std::string type_;
    std::string name_;
    bool trains_;
    Table options_;
    sluice_layer_traits traits_{};
    std::vector<sluice_tensor_spec> inputs_;
    std::vector<registry::StateInfo> states_;
    NodeSpecs single_;  // float32
    NodeSpecs double_;  // float64
};

// The ABI's view of a case; the case outlives it.
class NodeView {
public:
    NodeView(const NodeCase& node, sluice_dtype activations, const Wanted& wanted);
    NodeView(const NodeView&) = delete;
    NodeView& operator=(const NodeView&) = delete;
    [[nodiscard]] std::span<const sluice_node> chain() const { return {&node_, 1}; }

private:
    registry::OptionTree options_;
    sluice_node node_{};
};

}  // namespace sluice::check
