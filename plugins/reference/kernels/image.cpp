// image_to_tensor and tensor_to_image: y = offset + factor * x, the latter clamped to [0, 1]. Computed in float64, so
// that the ends of the range come out exactly.
#include <algorithm>
#include <vector>

#include "kernels/kernels.hpp"
#include "kernels/loops.hpp"
#include "types/conversion/image.hpp"

namespace sluice::reference {
namespace {

struct Affine {
    double offset;
    double factor;
    bool clamp;
};

template <class In, class Out>
class ImageKernel : public ForwardKernel {
public:
    ImageKernel(const sdk::Node& node, const Affine& map) : n_(sdk::element_count(node.inputs()[0])), map_(map) {}

    void forward(const sluice_launch& launch) override {
        const In* const x = sdk::input<In>(launch, 0);
        Out* const y = sdk::output<Out>(launch, 0);
        const auto [offset, factor, clamp] = map_;
        if (clamp) {
            for_each_element(launch, n_, [=, a = offset, b = factor](std::int64_t i) {
                y[i] = static_cast<Out>(std::clamp(a + b * static_cast<double>(x[i]), 0.0, 1.0));
            });
        } else {
            for_each_element(launch, n_, [=, a = offset, b = factor](std::int64_t i) {
                y[i] = static_cast<Out>(a + b * static_cast<double>(x[i]));
            });
        }
    }

private:
    std::int64_t n_;
    Affine map_;
};

// The same with an offset and a factor for each channel.
template <class In, class Out>
class NormalisedImageKernel : public ForwardKernel {
public:
    NormalisedImageKernel(const sdk::Node& node, const Affine& map, const ChannelNorm& norm)
        : n_(sdk::element_count(node.inputs()[0])) {
        for (std::size_t c = 0; c < norm.mean.size(); ++c) {
            channels_.push_back(
                {(map.offset - norm.mean[c]) / norm.deviation[c], map.factor / norm.deviation[c], false});
        }
    }

    void forward(const sluice_launch& launch) override {
        const In* const x = sdk::input<In>(launch, 0);
        Out* const y = sdk::output<Out>(launch, 0);
        for_each_element(launch, n_, [=, this](std::int64_t i) {
            const Affine& channel = channels_[static_cast<std::size_t>(i) % channels_.size()];
            y[i] = static_cast<Out>(channel.offset + channel.factor * static_cast<double>(x[i]));
        });
    }

private:
    std::int64_t n_;
    std::vector<Affine> channels_;
};

// Makes K<In, Out> by the type of the output.
template <template <class, class> class K, class In, class... Arguments>
KernelPtr make_from(const sdk::Node& node, const Arguments&... arguments) {
    if (is_float64(node.outputs()[0])) {
        return std::make_unique<K<In, double>>(node, arguments...);
    }
    return std::make_unique<K<In, float>>(node, arguments...);
}

template <template <class, class> class K, class... Arguments>
KernelPtr make_image_kernel(const sdk::Node& node, const Arguments&... arguments) {
    const sluice_tensor_spec& input = node.inputs()[0];
    if (sdk::same(input.dtype, sdk::kUint8)) {
        return make_from<K, std::uint8_t>(node, arguments...);
    }
    if (is_float64(input)) {
        return make_from<K, double>(node, arguments...);
    }
    return make_from<K, float>(node, arguments...);
}

}  // namespace

KernelPtr make_image_to_tensor(const sdk::Node& node, const sdk::KernelSink&) {
    const ValueRange range("image_to_tensor", node.options());
    const ChannelNorm norm(node.options());
    const Affine map{range.low, (range.high - range.low) / 255.0, false};
    if (norm.mean.empty()) {
        return make_image_kernel<ImageKernel>(node, map);
    }
    return make_image_kernel<NormalisedImageKernel>(node, map, norm);
}

KernelPtr make_tensor_to_image(const sdk::Node& node, const sdk::KernelSink&) {
    const ValueRange range("tensor_to_image", node.options());
    const double span = range.high - range.low;
    return make_image_kernel<ImageKernel>(node, Affine{-range.low / span, 1.0 / span, true});
}

}  // namespace sluice::reference
