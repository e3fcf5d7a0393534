#include "winograd/passes.hpp"

#include <algorithm>
#include <utility>

#include "conv/reflect.hpp"
#include "sluice/sdk/kernel.hpp"
#include "winograd/views.hpp"

namespace sluice::onednn {
namespace {

constexpr const char* kWhole = "winograd 4x4";
constexpr const char* kPhase = "winograd 5x5 of 4 phases";

class WinogradForward : public ConvPass {
public:
    WinogradForward(const char* name, const ConvGeometry& geometry, CorrelationPlan plan, std::int64_t threads)
        : name_(name), bias_(geometry.bias), correlation_(std::move(plan), threads, layout_) {}
    [[nodiscard]] std::uint64_t workspace() const override { return layout_.size(); }
    [[nodiscard]] std::string name() const override { return name_; }
    void run(const sluice_launch& launch) override {
        correlation_.run(launch, sdk::input<float>(launch, 0), sdk::parameter(launch, 0),
                         {.image = sdk::output<float>(launch, 0),
                          .bias = bias_ ? sdk::parameter(launch, 1) : nullptr,
                          .add = false});
    }

private:
    const char* name_;
    Layout layout_;
    bool bias_;
    Correlation correlation_;
};

// Behind mirrored edges, the gradient of the mirrored copy is computed and folded back; else that of the input itself.
class WinogradBackwardData : public ConvPass {
public:
    WinogradBackwardData(const char* name, const ConvGeometry& geometry, bool accumulate, CorrelationPlan plan,
                         std::int64_t threads)
        : name_(name),
          geometry_(geometry),
          accumulate_(accumulate),
          staging_(layout_.take(geometry.mirrors() ? geometry.source_bytes() : 0)),
          correlation_(std::move(plan), threads, layout_) {}
    [[nodiscard]] std::uint64_t workspace() const override { return layout_.size(); }
    [[nodiscard]] std::string name() const override { return name_; }
    void run(const sluice_launch& launch) override {
        float* gradient = sdk::input_gradient<float>(launch, 0);
        float* target = geometry_.mirrors() ? at(launch, staging_) : gradient;
        correlation_.run(launch, sdk::output_gradient<float>(launch, 0), sdk::parameter(launch, 0),
                         {.image = target, .bias = nullptr, .add = accumulate_ && !geometry_.mirrors()});
        if (geometry_.mirrors()) {
            reflect_fold(launch.threads, geometry_, target, gradient, accumulate_);
        }
    }

private:
    const char* name_;
    ConvGeometry geometry_;
    bool accumulate_;
    Layout layout_;
    std::uint64_t staging_;
    Correlation correlation_;
};

class WinogradBackwardWeights : public ConvPass {
public:
    WinogradBackwardWeights(const char* name, const ConvGeometry& geometry, KernelGradientsPlan plan,
                            std::int64_t threads)
        : name_(name), bias_(geometry.bias), gradients_(std::move(plan), threads, layout_) {}
    [[nodiscard]] std::uint64_t workspace() const override { return layout_.size(); }
    [[nodiscard]] std::string name() const override { return name_; }
    void run(const sluice_launch& launch) override {
        gradients_.run(launch, sdk::input<float>(launch, 0), sdk::output_gradient<float>(launch, 0),
                       {.kernels = sdk::parameter_gradient(launch, 0),
                        .bias = bias_ ? sdk::parameter_gradient(launch, 1) : nullptr,
                        .add = launch.accumulate_parameters != 0});
    }

private:
    const char* name_;
    Layout layout_;
    bool bias_;
    KernelGradients gradients_;
};

}  // namespace

bool winograd_fits(const ConvGeometry& geometry) {
    return geometry.kernel == 3 && geometry.stride == 1 && geometry.dilation == 1 && geometry.groups == 1;
}

// Measured on Sapphire Rapids against oneDNN 2.6: from 16 channels on it pays, unless so few tiles share the kernels
// that transforming and reading those takes longer than the products.
bool winograd_pays(const ConvGeometry& geometry) {
    constexpr std::int64_t kLeastChannels = 16;
    const TileGrid grid(geometry.batch, geometry.height.out, geometry.width.out, kTaps3);
    return winograd_fits(geometry) && std::min(geometry.channels, geometry.filters) >= kLeastChannels &&
           2 * grid.count() > std::max(geometry.channels, geometry.filters);
}

std::unique_ptr<ConvPass> make_winograd_forward(const ConvGeometry& geometry, std::int64_t threads) {
    return std::make_unique<WinogradForward>(kWhole, geometry, plan_forward(geometry), threads);
}

std::unique_ptr<ConvPass> make_winograd_backward_data(const ConvGeometry& geometry, std::int64_t threads,
                                                      bool accumulate) {
    return std::make_unique<WinogradBackwardData>(kWhole, geometry, accumulate, plan_backward_data(geometry), threads);
}

std::unique_ptr<ConvPass> make_winograd_weight_gradient(const ConvGeometry& geometry, std::int64_t threads) {
    return std::make_unique<WinogradBackwardWeights>(kWhole, geometry, plan_weight_gradient(geometry), threads);
}

bool upsampled_fits(const ConvGeometry& geometry) {
    const auto one_around = [](const ConvAxis& axis) {
        return axis.in % 2 == 0 && axis.out == axis.in && axis.before == 1;
    };
    return winograd_fits(geometry) && !geometry.mirrors() && one_around(geometry.height) && one_around(geometry.width);
}

std::unique_ptr<ConvPass> make_upsampled_forward(const ConvGeometry& geometry, std::int64_t threads) {
    return std::make_unique<WinogradForward>(kPhase, geometry, plan_upsampled_forward(geometry), threads);
}

std::unique_ptr<ConvPass> make_upsampled_backward_data(const ConvGeometry& geometry, std::int64_t threads,
                                                       bool accumulate) {
    return std::make_unique<WinogradBackwardData>(kPhase, geometry, accumulate, plan_upsampled_backward_data(geometry),
                                                  threads);
}

std::unique_ptr<ConvPass> make_upsampled_weight_gradient(const ConvGeometry& geometry, std::int64_t threads) {
    return std::make_unique<WinogradBackwardWeights>(kPhase, geometry, plan_upsampled_weight_gradient(geometry),
                                                     threads);
}

}  // namespace sluice::onednn
