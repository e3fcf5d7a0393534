// Names and layouts of tensors in files of PyTorch, as state_dict() gives them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "config/spec.hpp"
#include "run/checkpoint/safetensors.hpp"
#include "run/pretrained/own_tensor.hpp"

namespace sluice::run {

// The name of a tensor: "layer1.0.conv1.weight" of "layer1/0/conv1/kernel". The rules change the layer's path one after
// the other.
std::string torch_name(const OwnTensor& tensor, std::span<const config::NameRule> rules);

// The elements as float32 in our layout: [N, H, W, C] and its like in place of PyTorch's channels first. Extents of 1
// may differ. Returns nullopt if the shape is another, or the elements are no floating-point numbers.
std::optional<std::vector<float>> from_torch(const OwnTensor& tensor, const NamedBytes& theirs);

}  // namespace sluice::run
