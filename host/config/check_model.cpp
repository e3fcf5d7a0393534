// Checks of the names, inputs and blocks of a model.
#include <fmt/format.h>

#include <algorithm>

#include "base/text/nearest.hpp"
#include "config/read.hpp"

namespace sluice::config {
namespace {

using Layers = std::vector<LayerSpec>;

const LayerSpec* find_named(const Layers& layers, const std::string& name) {
    const auto at =
        std::find_if(layers.begin(), layers.end(), [&](const LayerSpec& layer) { return layer.name == name; });
    return at == layers.end() ? nullptr : &*at;
}

const BlockSpec* find_block(const ModelSpec& model, const std::string& name) {
    const auto at = std::find_if(model.blocks.begin(), model.blocks.end(),
                                 [&](const BlockSpec& block) { return block.name == name; });
    return at == model.blocks.end() ? nullptr : &*at;
}

// Names must be unique in their list and must not be reserved words.
void check_name(const Layers& layers, const LayerSpec& layer) {
    if (layer.name == "input" || layer.name == "previous") {
        fail(layer.origin, fmt::format("a layer is named '{}', which is a reserved word in 'inputs'", layer.name));
    }
    const LayerSpec* first = layer.name.empty() ? &layer : find_named(layers, layer.name);
    if (first != &layer) {
        fail(layer.origin, fmt::format("the name '{}' belongs to the layer at {}; names must be unique in a list",
                                       layer.name, to_string(first->origin)));
    }
}

// Inputs must name earlier layers of the same list.
void check_inputs(const Layers& layers, const LayerSpec& layer) {
    std::vector<std::string> earlier = {"previous", "input"};
    for (const LayerSpec* before = layers.data(); before != &layer; ++before) {
        if (!before->name.empty()) {
            earlier.push_back(before->name);
        }
    }
    for (const std::string& input : layer.inputs) {
        if (std::find(earlier.begin(), earlier.end(), input) != earlier.end()) {
            continue;
        }
        const LayerSpec* later = find_named(layers, input);
        fail(layer.origin,
             later != nullptr
                 ? fmt::format("the input '{}' is not available here: that layer, at {}, does not come earlier", input,
                               to_string(later->origin))
                 : fmt::format("no earlier layer is named '{}'{}", input, suggestion(input, earlier)));
    }
}

void check_block_exists(const ModelSpec& model, const LayerSpec& layer) {
    if (layer.block.empty() || find_block(model, layer.block) != nullptr) {
        return;
    }
    std::vector<std::string> names;
    for (const BlockSpec& block : model.blocks) {
        names.push_back(block.name);
    }
    fail(layer.origin, fmt::format("there is no block '{}'{}", layer.block,
                                   names.empty() ? fmt::format("; write [model.blocks.{}]", layer.block)
                                                 : suggestion(layer.block, names)));
}

void check_list(const ModelSpec& model, const Layers& layers) {
    for (const LayerSpec& layer : layers) {
        check_name(layers, layer);
        check_inputs(layers, layer);
        check_block_exists(model, layer);
    }
}

// `open` is the chain of blocks that contain this one.
void check_recursion(const ModelSpec& model, const BlockSpec& block, std::vector<std::string>& open) {
    open.push_back(block.name);
    for (const LayerSpec& layer : block.layers) {
        if (layer.block.empty()) {
            continue;
        }
        const auto again = std::find(open.begin(), open.end(), layer.block);
        if (again != open.end()) {
            std::string way;
            for (auto name = again; name != open.end(); ++name) {
                way += *name + " -> ";
            }
            fail(layer.origin, fmt::format("the block '{}' contains itself: {}{}", layer.block, way, layer.block));
        }
        check_recursion(model, *find_block(model, layer.block), open);
    }
    open.pop_back();
}

}  // namespace

void check_model(const ModelSpec& model) {
    check_list(model, model.layers);
    for (const BlockSpec& block : model.blocks) {
        check_list(model, block.layers);
    }
    for (const BlockSpec& block : model.blocks) {
        std::vector<std::string> open;
        check_recursion(model, block, open);
    }
}

}  // namespace sluice::config
