// image_to_tensor and tensor_to_image: y = offset + factor * x, the latter clamped to [0, 1]. Computed in float64, so
// that the ends of the range come out exactly.
#include <algorithm>

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

template <class In>
KernelPtr make_from(const sdk::Node& node, const Affine& map) {
    if (is_float64(node.outputs()[0])) {
        return std::make_unique<ImageKernel<In, double>>(node, map);
    }
    return std::make_unique<ImageKernel<In, float>>(node, map);
}

KernelPtr make_image_kernel(const sdk::Node& node, const Affine& map) {
    const sluice_tensor_spec& input = node.inputs()[0];
    if (sdk::same(input.dtype, sdk::kUint8)) {
        return make_from<std::uint8_t>(node, map);
    }
    return is_float64(input) ? make_from<double>(node, map) : make_from<float>(node, map);
}

}  // namespace

KernelPtr make_image_to_tensor(const sdk::Node& node, const sdk::KernelSink&) {
    const ValueRange range("image_to_tensor", node.options());
    return make_image_kernel(node, {range.low, (range.high - range.low) / 255.0, false});
}

KernelPtr make_tensor_to_image(const sdk::Node& node, const sdk::KernelSink&) {
    const ValueRange range("tensor_to_image", node.options());
    const double span = range.high - range.low;
    return make_image_kernel(node, {-range.low / span, 1.0 / span, true});
}

}  // namespace sluice::reference
