#include "types/checks.hpp"

#include <algorithm>
#include <string>

namespace sluice::reference {
namespace {

[[noreturn]] void refuse(std::string_view layer, Specs inputs, std::size_t index, const std::string& right) {
    throw sdk::Failure(SLUICE_INVALID, std::string(layer) + ": input " + std::to_string(index) + " is " +
                                           sdk::describe(inputs[index]) + "; it should be " + right);
}

}  // namespace

void expect_count(std::string_view layer, Specs inputs, std::uint32_t least, std::uint32_t most) {
    if (inputs.size() < least || inputs.size() > most) {
        const std::string right =
            least == most ? std::to_string(least) : std::to_string(least) + " to " + std::to_string(most);
        throw sdk::Failure(SLUICE_INVALID,
                           std::string(layer) + " has " + std::to_string(inputs.size()) + " inputs; it takes " + right);
    }
}

void expect_extents(std::string_view layer, Specs inputs, std::size_t index) {
    const sluice_tensor_spec& spec = inputs[index];
    if (spec.rank < 1 || std::any_of(spec.shape, spec.shape + spec.rank, [](std::int64_t n) { return n < 1; })) {
        refuse(layer, inputs, index, "[N, ...] with every extent known and at least 1");
    }
}

void expect_image_extents(std::string_view layer, Specs inputs, std::size_t index) {
    expect_extents(layer, inputs, index);
    if (inputs[index].rank != 4) {
        refuse(layer, inputs, index, "[N, H, W, C]");
    }
}

void expect_activation(std::string_view layer, Specs inputs, std::size_t index) {
    expect_extents(layer, inputs, index);
    const sluice_dtype dtype = inputs[index].dtype;
    if (!sdk::same(dtype, sdk::kFloat32) && !sdk::same(dtype, sdk::kFloat64) && !sdk::is_16_bit_float(dtype)) {
        refuse(layer, inputs, index, "of floating-point numbers");
    }
}

void expect_features(std::string_view layer, Specs inputs, std::size_t index) {
    expect_activation(layer, inputs, index);
    if (inputs[index].rank < 2) {
        refuse(layer, inputs, index, "[N, ..., C]");
    }
}

void expect_image(std::string_view layer, Specs inputs, std::size_t index) {
    expect_activation(layer, inputs, index);
    expect_image_extents(layer, inputs, index);
}

void expect_rate(std::string_view layer, double rate) {
    if (rate < 0.0 || rate >= 1.0) {
        throw sdk::Failure(SLUICE_INVALID, std::string(layer) + ": rate is " + std::to_string(rate) +
                                               "; it should be at least 0 and less than 1");
    }
}

void expect_alike(std::string_view layer, Specs inputs) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        expect_activation(layer, inputs, i);
        if (!sdk::same_shape(inputs[i], inputs[0]) || !sdk::same(inputs[i].dtype, inputs[0].dtype)) {
            refuse(layer, inputs, i, "like input 0, which is " + sdk::describe(inputs[0]));
        }
    }
}

sluice_layer_traits make_traits(const TraitValues& values) {
    sluice_layer_traits traits{};
    traits.role = values.role;
    traits.colour = values.colour;
    traits.flags = values.flags;
    traits.min_inputs = values.inputs;
    traits.max_inputs = std::max(values.inputs, values.most_inputs);
    return traits;
}

}  // namespace sluice::reference
