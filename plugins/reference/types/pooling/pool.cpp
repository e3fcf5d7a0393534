#include "types/pooling/pool.hpp"

#include "types/checks.hpp"

namespace sluice::reference {
namespace {

void infer_windows(const Window& window, Specs inputs, const sdk::LayerSink& sink) {
    expect_count(window.layer, inputs, 1, 1);
    expect_image(window.layer, inputs, 0);
    const PoolGeometry g = pool_geometry(window, inputs[0]);
    sink.output(sdk::make_spec(inputs[0].dtype, {g.batch, g.height.out, g.width.out, g.channels}));
}

void infer_global(std::string_view layer, Specs inputs, bool keep_extents, const sdk::LayerSink& sink) {
    expect_count(layer, inputs, 1, 1);
    expect_image(layer, inputs, 0);
    const sluice_tensor_spec& x = inputs[0];
    sink.output(keep_extents ? sdk::make_spec(x.dtype, {x.shape[0], 1, 1, x.shape[3]})
                             : sdk::make_spec(x.dtype, {x.shape[0], x.shape[3]}));
}

}  // namespace

sluice_layer_traits MaxPool::traits() const { return make_traits({.colour = SLUICE_COLOUR_CLEAR}); }
void MaxPool::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    infer_windows(window_, inputs, sink);
}

sluice_layer_traits AveragePool::traits() const { return make_traits({.colour = SLUICE_COLOUR_INFER}); }
void AveragePool::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    infer_windows(window_, inputs, sink);
}

// The sum has thousands of terms, so it is kept in float32, as TensorFlow does with means.
sluice_layer_traits GlobalAveragePool::traits() const { return make_traits({.colour = SLUICE_COLOUR_DENY}); }
void GlobalAveragePool::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    infer_global("global_average_pool", inputs, keep_extents_, sink);
}

sluice_layer_traits GlobalMaxPool::traits() const { return make_traits({.colour = SLUICE_COLOUR_CLEAR}); }
void GlobalMaxPool::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    infer_global("global_max_pool", inputs, keep_extents_, sink);
}

}  // namespace sluice::reference
