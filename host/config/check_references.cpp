// Checks of the names and inputs in a list of layers.
#include <fmt/format.h>

#include <algorithm>

#include "base/text/nearest.hpp"
#include "config/read.hpp"

namespace sluice::config {
namespace {

using Layers = std::vector<LayerSpec>;

const LayerSpec* find_named(const Layers& layers, const std::string& name) {
    const auto at = std::ranges::find(layers, name, &LayerSpec::name);
    return at == layers.end() ? nullptr : &*at;
}

// Names must be unique in their list and must not be reserved words. Copies of an entry share its name, and so do
// numbered entries.
void check_name(const Layers& layers, const LayerSpec& layer) {
    if (layer.name == "input" || layer.name == "previous") {
        fail(layer.origin, fmt::format("a layer is named '{}', which is a reserved word in 'inputs'", layer.name));
    }
    const LayerSpec* first = layer.name.empty() || layer.is_copy ? &layer : find_named(layers, layer.name);
    if (first != &layer && !(first->is_numbered && layer.is_numbered)) {
        fail(layer.origin, fmt::format("the name '{}' belongs to the layer at {}; names must be unique in a list",
                                       layer.name, to_string(first->origin)));
    }
}

// Inputs must name earlier layers of the same list.
void check_inputs(const Layers& layers, const LayerSpec& layer, const std::vector<std::string>& earlier) {
    for (const std::string& input : layer.inputs) {
        if (std::ranges::find(earlier, input) != earlier.end()) {
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

}  // namespace

void check_references(const std::vector<LayerSpec>& layers) {
    std::vector<std::string> earlier = {"previous", "input"};
    const LayerSpec* before = nullptr;
    for (const LayerSpec& layer : layers) {
        // Copies of an entry do not see its name.
        if (before != nullptr && before->key != layer.key && !before->name.empty()) {
            earlier.push_back(before->name);
        }
        check_name(layers, layer);
        check_inputs(layers, layer, earlier);
        before = &layer;
    }
}

}  // namespace sluice::config
