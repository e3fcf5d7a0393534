// Checks of the inputs of infer(). Each function throws SLUICE_INVALID with what was found and what would be right.
// Messages begin with the name of the layer type.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "sluice/sdk/layer.hpp"

namespace sluice::reference {

using Specs = std::span<const sluice_tensor_spec>;

// wanted_gradients has one bit for each input, which limits the number of inputs of a layer.
inline constexpr std::uint32_t kMostInputs = 64;

void expect_count(std::string_view layer, Specs inputs, std::uint32_t least, std::uint32_t most);
// Expects at least one axis, and every extent to be at least 1.
void expect_extents(std::string_view layer, Specs inputs, std::size_t index);
// Expects extents [N, H, W, C].
void expect_image_extents(std::string_view layer, Specs inputs, std::size_t index);
// Expects floating-point numbers, and expect_extents().
void expect_activation(std::string_view layer, Specs inputs, std::size_t index);
// Expects [N, ..., C]: an activation of rank 2 or more.
void expect_features(std::string_view layer, Specs inputs, std::size_t index);
// Expects floating-point numbers, and expect_image_extents().
void expect_image(std::string_view layer, Specs inputs, std::size_t index);
// Expects at least 0 and less than 1: the share of what is dropped.
void expect_rate(std::string_view layer, double rate);
// Expects all inputs to be activations of the shape and type of input 0.
void expect_alike(std::string_view layer, Specs inputs);

struct TraitValues {
    std::int32_t role = SLUICE_ROLE_LAYER;
    std::int32_t colour = SLUICE_COLOUR_INFER;
    std::uint32_t flags = 0;
    std::uint32_t inputs = 1;
    std::uint32_t most_inputs = 1;
};
sluice_layer_traits make_traits(const TraitValues& values);

}  // namespace sluice::reference
