#include "conv/backward_weights.hpp"

#include <algorithm>

#include "conv/reflect.hpp"
#include "math/elementwise.hpp"

namespace sluice::onednn {
namespace {

// Above this size of one source image, oneDNN's weight gradient is 1.2 to 3 times slower in nhwc than in its blocked
// layout, reorders included; below it, they are alike (oneDNN 2.6.3 and 3.7, Zen 5, 8 to 33 MB against 4.5 MB).
constexpr std::uint64_t kBlockedImageBytes = 6U << 20U;

}  // namespace

dnnl::memory::format_tag ConvBackwardWeights::best_layout(const ConvGeometry& geometry) {
    const std::uint64_t image = geometry.source_bytes() / static_cast<std::uint64_t>(geometry.batch);
    return image > kBlockedImageBytes ? dnnl::memory::format_tag::any : dnnl::memory::format_tag::nhwc;
}

ConvBackwardWeights::Staged::Staged(const dnnl::engine& engine, const Md& from, const Md& to, Layout& layout)
    : reorder(from == to ? std::nullopt : std::optional(make_reorder(engine, from, to))),
      offset(layout.take(reorder ? to.get_size() : 0)) {}

const float* ConvBackwardWeights::Staged::stage(const sluice_launch& launch, const float* data) {
    if (!reorder) {
        return data;
    }
    reorder->execute({{DNNL_ARG_FROM, data}, {DNNL_ARG_TO, at(launch, offset)}});
    return at(launch, offset);
}

ConvBackwardWeights::ConvBackwardWeights(const dnnl::engine& engine, const ConvGeometry& geometry,
                                         const dnnl::convolution_backward_weights::primitive_desc& desc)
    : geometry_(geometry),
      mirrored_(layout_.take(geometry.mirrors() ? geometry.source_bytes() : 0)),
      source_(engine, geometry.source(), desc.src_desc(), layout_),
      destination_(engine, geometry.destination(), desc.diff_dst_desc(), layout_),
      weights_(layout_.take(desc.diff_weights_desc().get_size())),
      bias_(layout_.take(desc.diff_bias_desc().get_size())),
      scratchpad_(layout_.take(desc.scratchpad_desc().get_size())),
      convolution_(engine, dnnl::convolution_backward_weights(desc),
                   {{DNNL_ARG_SRC, desc.src_desc()},
                    {DNNL_ARG_DIFF_WEIGHTS, desc.diff_weights_desc()},
                    {DNNL_ARG_DIFF_BIAS, desc.diff_bias_desc()},
                    {DNNL_ARG_DIFF_DST, desc.diff_dst_desc()},
                    {DNNL_ARG_SCRATCHPAD, desc.scratchpad_desc()}}),
      write_(make_reorder(engine, desc.diff_weights_desc(), geometry.canonical_weights())),
      add_(make_reorder(engine, desc.diff_weights_desc(), geometry.canonical_weights(), true)) {}

void ConvBackwardWeights::run(const sluice_launch& launch) {
    const float* source = sdk::input<float>(launch, 0);
    if (geometry_.mirrors()) {
        reflect_pad(launch.threads, geometry_, source, at(launch, mirrored_));
        source = at(launch, mirrored_);
    }
    convolution_.execute({{DNNL_ARG_SRC, source_.stage(launch, source)},
                          {DNNL_ARG_DIFF_WEIGHTS, at(launch, weights_)},
                          {DNNL_ARG_DIFF_BIAS, at(launch, bias_)},
                          {DNNL_ARG_DIFF_DST, destination_.stage(launch, sdk::output_gradient<float>(launch, 0))},
                          {DNNL_ARG_SCRATCHPAD, at(launch, scratchpad_)}});
    store(launch);
}

void ConvBackwardWeights::store(const sluice_launch& launch) {
    const bool accumulate = launch.accumulate_parameters != 0;
    if (float* gradient = sdk::parameter_gradient(launch, 0)) {
        (accumulate ? add_ : write_).execute({{DNNL_ARG_FROM, at(launch, weights_)}, {DNNL_ARG_TO, gradient}});
    }
    if (float* gradient = geometry_.bias ? sdk::parameter_gradient(launch, 1) : nullptr) {
        store_gradient(gradient, at(launch, bias_), geometry_.filters, accumulate);
    }
}

}  // namespace sluice::onednn
