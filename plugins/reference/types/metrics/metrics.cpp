#include "types/metrics/metrics.hpp"

#include <string>

#include "types/checks.hpp"

namespace sluice::reference {
namespace {

sluice_layer_traits metric_traits() {
    return make_traits({.role = SLUICE_ROLE_METRIC,
                        .colour = SLUICE_COLOUR_DENY,
                        .flags = SLUICE_LAYER_NO_GRADIENT | SLUICE_LAYER_HIGHER_IS_BETTER,
                        .inputs = 2});
}

void infer_metric(std::string_view layer, Specs inputs, const sdk::LayerSink& sink) {
    expect_count(layer, inputs, 2, 2);
    expect_alike(layer, inputs);
    sink.output(sdk::make_spec(sdk::kFloat32, {inputs[0].shape[0], 2}));
}

// sums: the sum of the samples' values, and the number of samples.
double mean_of(std::string_view layer, std::span<const double> sums) {
    if (sums.size() != 2 || !(sums[1] > 0.0)) {
        throw sdk::Failure(SLUICE_INVALID, std::string(layer) + ": got " + std::to_string(sums.size()) +
                                               " sums; it needs two, and the second must count at least one sample");
    }
    return sums[0] / sums[1];
}

}  // namespace

sluice_layer_traits Psnr::traits() const { return metric_traits(); }
void Psnr::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    infer_metric("psnr", inputs, sink);
}
double Psnr::finalize(std::span<const double> sums) const { return mean_of("psnr", sums); }

sluice_layer_traits Ssim::traits() const { return metric_traits(); }
void Ssim::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    expect_count("ssim", inputs, 2, 2);
    expect_image("ssim", inputs, 0);
    infer_metric("ssim", inputs, sink);
}
double Ssim::finalize(std::span<const double> sums) const { return mean_of("ssim", sums); }

}  // namespace sluice::reference
