// The tensors of a network, with what is needed to find them in files of other programs.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "plan/graph.hpp"

namespace sluice::run {

struct OwnTensor {
    std::string name;        // in a checkpoint: "model/conv1/kernel"
    std::string path;        // names the layer: "conv1"
    std::string leaf;        // "kernel"
    std::string layer_type;  // "conv2d"
    sluice_tensor_spec spec{};
    // Extents [H, W, C] of the picture that `flatten` made the input of a dense layer from; 0: there is none.
    std::array<std::int64_t, 3> picture{};
    bool is_of_head = false;  // it belongs to the last layer with parameters, whose size depends on the classes
};

// The parameters and running statistics of all layers, in the order of the network.
std::vector<OwnTensor> own_tensors(const plan::Graph& graph);

}  // namespace sluice::run
