#include "types/norms/norms.hpp"

#include <string>

#include "types/checks.hpp"
#include "types/parameters.hpp"

namespace sluice::reference {
namespace {

[[noreturn]] void refuse(const char* layer, const sluice_tensor_spec& input, const std::string& why) {
    throw sdk::Failure(SLUICE_INVALID, std::string(layer) + ": input 0 is " + sdk::describe(input) + "; " + why);
}

void add_affine(const sdk::LayerSink& sink, bool affine, const sluice_tensor_spec& spec) {
    if (affine) {
        add_vector(sink, "gamma", spec, SLUICE_INIT_ONES);
        add_vector(sink, "beta", spec, SLUICE_INIT_ZEROS);
    }
}

sluice_tensor_spec channels_spec(const sluice_tensor_spec& x) {
    return sdk::make_spec(sdk::kFloat32, {x.shape[x.rank - 1]});
}

}  // namespace

sluice_layer_traits GroupNorm::traits() const { return make_traits({.colour = SLUICE_COLOUR_DENY}); }
void GroupNorm::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    expect_count("group_norm", inputs, 1, 1);
    expect_features("group_norm", inputs, 0);
    const sluice_tensor_spec& x = inputs[0];
    if (x.shape[x.rank - 1] % groups_ != 0) {
        refuse("group_norm", x, "groups is " + std::to_string(groups_) + " and must divide the channels");
    }
    add_affine(sink, affine_, channels_spec(x));
    sink.output(x);
}

sluice_layer_traits InstanceNorm::traits() const { return make_traits({.colour = SLUICE_COLOUR_DENY}); }
void InstanceNorm::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    expect_count("instance_norm", inputs, 1, 1);
    expect_features("instance_norm", inputs, 0);
    const sluice_tensor_spec& x = inputs[0];
    if (sdk::element_count(x) == x.shape[0] * x.shape[x.rank - 1]) {
        refuse("instance_norm", x,
               "it should be [N, ..., C] with at least two pixels, because the result of a single one is always 0");
    }
    add_affine(sink, affine_, channels_spec(x));
    sink.output(x);
}

sluice_layer_traits LayerNorm::traits() const { return make_traits({.colour = SLUICE_COLOUR_DENY}); }
void LayerNorm::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    expect_count("layer_norm", inputs, 1, 1);
    expect_features("layer_norm", inputs, 0);
    const sluice_tensor_spec& x = inputs[0];
    if (axes_ >= x.rank) {
        refuse("layer_norm", x,
               "axes is " + std::to_string(axes_) + " and must be at most " + std::to_string(x.rank - 1) +
                   ", or it would mix samples");
    }
    const auto axes = static_cast<std::size_t>(axes_);
    add_affine(sink, affine_,
               sdk::make_spec(sdk::kFloat32, std::span<const std::int64_t>(x.shape + x.rank - axes_, axes)));
    sink.output(x);
}

}  // namespace sluice::reference
