#include "conv/swapped_weights.hpp"

#include <cstring>

#include "conv/arithmetic.hpp"
#include "conv/source.hpp"
#include "conv/weight_gradient_layout.hpp"

namespace sluice::onednn {
namespace {

Md plain_weights(const ConvGeometry& geometry, dnnl::memory::format_tag tag, DataType type = DataType::f32) {
    return {{geometry.channels, geometry.filters, geometry.kernel, geometry.kernel}, type, tag};
}

// The output's gradient with zeros around it, [N, H + kernel - 1, W + kernel - 1, O].
Md padded_gradient(const ConvGeometry& geometry, dnnl::memory::format_tag tag) {
    const std::int64_t reach = geometry.kernel - 1;
    return {{geometry.batch, geometry.filters, geometry.source_height() + reach, geometry.source_width() + reach},
            geometry.computed,
            tag};
}

// Describes the part of the padded gradient that holds the gradient itself.
Md padded_middle(const ConvGeometry& geometry) {
    const std::int64_t reach = geometry.kernel - 1;
    return padded_gradient(geometry, dnnl::memory::format_tag::nhwc)
        .submemory_desc({geometry.batch, geometry.filters, geometry.height.out, geometry.width.out},
                        {0, 0, reach - geometry.height.before, reach - geometry.width.before});
}

auto describe(const dnnl::engine& engine, const ConvGeometry& geometry) {
    const auto tag = weight_gradient_layout(geometry);
    ConvDesc swapped{
        .source = padded_gradient(geometry, tag),
        .weights = plain_weights(geometry, dnnl::memory::format_tag::any, geometry.computed),
        .bias = Md(),
        .destination = geometry.source(tag),
        .strides = {1, 1},
        .gaps = {0, 0},
        .padding = {{0, 0}, {0, 0}},
    };
    const auto forward = conv_forward_desc(engine, user_scratchpad(), swapped);
    swapped.weights = plain_weights(geometry, dnnl::memory::format_tag::any);
    return conv_backward_weights_desc(engine, user_scratchpad(), swapped, forward);
}

}  // namespace

SwappedWeights::SwappedWeights(const dnnl::engine& engine, const ConvGeometry& geometry, std::int64_t threads)
    : ConvPass(geometry.computed, direct_flops(geometry)),
      geometry_(geometry),
      desc_(describe(engine, geometry)),
      copied_(layout_.take(copied_source_bytes(geometry))),
      padded_(layout_.take(padded_gradient(geometry, dnnl::memory::format_tag::nhwc).get_size())),
      weights_(engine, desc_, padded_gradient(geometry, dnnl::memory::format_tag::nhwc), geometry.source(),
               plain_weights(geometry, dnnl::memory::format_tag::ohwi), layout_),
      padded_bytes_(padded_gradient(geometry, dnnl::memory::format_tag::nhwc).get_size()),
      pad_(make_reorder(engine, geometry.stored_output(), padded_middle(geometry))),
      bias_(geometry, threads, layout_) {}

void SwappedWeights::run(const sluice_launch& launch) {
    if (float* gradient = sdk::parameter_gradient(launch, 0)) {
        const void* source = source_of(launch, geometry_, at(launch, copied_));
        float* padded = at(launch, padded_);
        std::memset(padded, 0, padded_bytes_);
        pad_.execute({{DNNL_ARG_FROM, launch.output_gradients[0]}, {DNNL_ARG_TO, padded}});
        store_weights(weights_.run(launch, padded, source), gradient, launch.accumulate_parameters != 0);
    }
    if (float* gradient = geometry_.bias ? sdk::parameter_gradient(launch, 1) : nullptr) {
        bias_.run(launch, launch.output_gradients[0], gradient, launch.accumulate_parameters != 0);
    }
}

// swapped: [I, kh, kw, O], both kernel axes reversed; gradient: [O, kh, kw, I].
void SwappedWeights::store_weights(const float* swapped, float* gradient, bool accumulate) const {
    const std::int64_t window = geometry_.kernel * geometry_.kernel;
    for (std::int64_t o = 0; o < geometry_.filters; ++o) {
        for (std::int64_t tap = 0; tap < window; ++tap) {
            for (std::int64_t i = 0; i < geometry_.channels; ++i) {
                float& to = gradient[(o * window + tap) * geometry_.channels + i];
                to = (accumulate ? to : 0.0F) + swapped[(i * window + window - 1 - tap) * geometry_.filters + o];
            }
        }
    }
}

}  // namespace sluice::onednn
