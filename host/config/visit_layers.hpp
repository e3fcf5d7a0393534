// Visits the layers of a model, also those of blocks.
#pragma once

#include "config/spec.hpp"

namespace sluice::config {

// Calls `visit` with each layer and block of the list, each block followed by its own layers. `Layers` is a vector of
// LayerSpec, constant or not.
template <typename Layers, typename Visit>
void visit_layers(Layers& layers, const Visit& visit) {
    for (auto& layer : layers) {
        if (!layer.is_left_out) {
            visit(layer);
            visit_layers(layer.layers, visit);
        }
    }
}

}  // namespace sluice::config
