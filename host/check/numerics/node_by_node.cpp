#include "check/numerics/node_by_node.hpp"

#include <memory>

#include "base/error.hpp"

namespace sluice::check {
namespace {

// One layer of the chain with its kernel and its values.
struct Layer {
    Layer(const NodeCase& chain, std::size_t index, const Provider& oracle)
        : node(chain.alone(index)),
          wanted{.inputs = node.has_backward() ? node.differentiable_inputs() : 0},
          dtype(claims_float64(oracle, node) ? kFloat64 : kFloat32),
          kernel(plan(oracle)),
          run(*oracle.bench, kernel, node, dtype, wanted) {}

    [[nodiscard]] registry::Kernel plan(const Provider& oracle) const {
        std::string refusal;
        const NodeView view(node, dtype, wanted);
        registry::TuningCache choices({}, oracle.bench->measures());
        auto planned = oracle.kernels->plan(view.chain(), node.name(), {oracle.bench->threads(), &choices}, refusal);
        if (!planned) {
            throw Error(Exit::plugin, "supports() claimed the layer, but plan() declined it: " + refusal);
        }
        return std::move(*planned);
    }

    NodeCase node;
    Wanted wanted;
    sluice_dtype dtype;
    registry::Kernel kernel;
    KernelRun run;
    NodeValues values;
    KernelResults results;
};

// Returns the next `count` tensors of `from`, from index `at` on, and advances `at`.
std::vector<Numbers> next(const std::vector<Numbers>& from, std::size_t& at, std::size_t count) {
    const auto first = from.begin() + static_cast<std::ptrdiff_t>(at);
    at += count;
    return {first, first + static_cast<std::ptrdiff_t>(count)};
}

void append(std::vector<Numbers>& to, const std::vector<Numbers>& from) {
    to.insert(to.end(), from.begin(), from.end());
}

using Layers = std::vector<std::unique_ptr<Layer>>;

void run_forward(Layers& layers, const NodeCase& chain, const NodeValues& values) {
    std::size_t input = 0;
    std::size_t parameter = 0;
    std::size_t state = 0;
    std::vector<Numbers> before;  // outputs of the previous layer
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const NodeCase::Link& link = chain.links()[i];
        NodeValues& mine = layers[i]->values;
        const bool chained = link.chained_input >= 0;
        mine.inputs = next(values.inputs, input, link.specs.front().inputs.size() - (chained ? 1 : 0));
        if (chained) {
            mine.inputs.insert(mine.inputs.begin() + link.chained_input, before.front());
        }
        mine.parameters = next(values.parameters, parameter, link.specs.front().parameters.size());
        mine.states = next(values.states, state, link.specs.front().states.size());
        before = layers[i]->run.forward(mine);
    }
}

// Runs the step of each layer, from the last to the first: forward again, then backward with the gradient from the next
// layer.
void run_backward(Layers& layers, const NodeCase& chain, const NodeValues& values) {
    std::vector<Numbers> gradients = values.output_gradients;
    for (std::size_t i = layers.size(); i-- > 0;) {
        Layer& layer = *layers[i];
        layer.values.output_gradients = gradients;
        layer.results = layer.run.step(layer.values, {});
        const std::int32_t chained = chain.links()[i].chained_input;
        if (chained >= 0 && chain.has_backward()) {
            const auto at = layer.results.input_gradients.begin() + chained;
            gradients = {*at};
            layer.results.input_gradients.erase(at);
        }
    }
}

}  // namespace

KernelResults run_node_by_node(const NodeCase& chain, const NodeValues& values,
                               std::span<const Provider* const> oracles) {
    Layers layers;
    for (std::size_t i = 0; i < oracles.size(); ++i) {
        layers.push_back(std::make_unique<Layer>(chain, i, *oracles[i]));
    }
    run_forward(layers, chain, values);
    run_backward(layers, chain, values);
    KernelResults all;
    all.outputs = layers.back()->results.outputs;
    for (const auto& layer : layers) {
        append(all.states, layer->results.states);
        append(all.input_gradients, layer->results.input_gradients);
        append(all.parameter_gradients, layer->results.parameter_gradients);
    }
    return all;
}

}  // namespace sluice::check
