#include "winograd/passes.hpp"

#include <algorithm>
#include <utility>

#include "conv/reflect.hpp"
#include "sluice/sdk/kernel.hpp"
#include "winograd/backward_weights.hpp"
#include "winograd/correlation.hpp"

namespace sluice::onednn {
namespace {

constexpr std::int64_t kReach = 2;  // taps beside the first

ImageView input_view(const ConvGeometry& geometry, const TileGrid& grid) {
    return {geometry.height.in, geometry.width.in, geometry.channels,
            input_axis(geometry, geometry.height, grid.map_height()),
            input_axis(geometry, geometry.width, grid.map_width())};
}

ImageView output_view(const ConvGeometry& geometry, const TileGrid& grid) {
    return {geometry.height.out, geometry.width.out, geometry.filters,
            shifted_axis(grid.map_height(), 0, geometry.height.out),
            shifted_axis(grid.map_width(), 0, geometry.width.out)};
}

// One result of one term: from one whole image to another.
std::vector<CorrelationResult> single(ImageView from, ImageView to) {
    std::vector<CorrelationResult> results;
    results.push_back({std::move(to), {}});
    results[0].terms.push_back({0, std::move(from)});
    return results;
}

class WinogradForward : public ConvPass {
public:
    explicit WinogradForward(const ConvGeometry& geometry)
        : bias_(geometry.bias), correlation_(make(geometry, layout_)) {}
    [[nodiscard]] std::uint64_t workspace() const override { return layout_.size(); }
    [[nodiscard]] std::string name() const override { return "winograd 4x4"; }
    void run(const sluice_launch& launch) override {
        correlation_.run(launch, sdk::input<float>(launch, 0), sdk::parameter(launch, 0),
                         {.image = sdk::output<float>(launch, 0),
                          .bias = bias_ ? sdk::parameter(launch, 1) : nullptr,
                          .add = false});
    }

private:
    static Correlation make(const ConvGeometry& geometry, Layout& layout) {
        const TileGrid grid(geometry.batch, geometry.height.out, geometry.width.out, kTaps3);
        return {grid,
                KernelLayout(geometry.filters, geometry.channels, false),
                {KernelPart()},
                single(input_view(geometry, grid), output_view(geometry, grid)),
                layout};
    }

    Layout layout_;
    bool bias_;
    Correlation correlation_;
};

// Behind mirrored edges, the gradient of the mirrored copy is computed and folded back; else that of the input itself.
class WinogradBackwardData : public ConvPass {
public:
    WinogradBackwardData(const ConvGeometry& geometry, bool accumulate)
        : geometry_(geometry),
          accumulate_(accumulate),
          staging_(layout_.take(geometry.mirrors() ? geometry.source_bytes() : 0)),
          correlation_(make(geometry, layout_)) {}
    [[nodiscard]] std::uint64_t workspace() const override { return layout_.size(); }
    [[nodiscard]] std::string name() const override { return "winograd 4x4"; }
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
    static Correlation make(const ConvGeometry& geometry, Layout& layout) {
        const std::int64_t height = geometry.source_height();
        const std::int64_t width = geometry.source_width();
        const TileGrid grid(geometry.batch, height, width, kTaps3);
        ImageView from(geometry.height.out, geometry.width.out, geometry.filters,
                       shifted_axis(grid.map_height(), kReach - geometry.height.before, geometry.height.out),
                       shifted_axis(grid.map_width(), kReach - geometry.width.before, geometry.width.out));
        ImageView to(height, width, geometry.channels, shifted_axis(grid.map_height(), 0, height),
                     shifted_axis(grid.map_width(), 0, width));
        return {grid,
                KernelLayout(geometry.filters, geometry.channels, true),
                {KernelPart()},
                single(std::move(from), std::move(to)),
                layout};
    }

    ConvGeometry geometry_;
    bool accumulate_;
    Layout layout_;
    std::uint64_t staging_;
    Correlation correlation_;
};

class WinogradBackwardWeights : public ConvPass {
public:
    explicit WinogradBackwardWeights(const ConvGeometry& geometry)
        : bias_(geometry.bias), gradients_(make(geometry, layout_)) {}
    [[nodiscard]] std::uint64_t workspace() const override { return layout_.size(); }
    [[nodiscard]] std::string name() const override { return "winograd 4x4"; }
    void run(const sluice_launch& launch) override {
        gradients_.run(launch, sdk::input<float>(launch, 0), sdk::output_gradient<float>(launch, 0),
                       {.kernels = sdk::parameter_gradient(launch, 0),
                        .bias = bias_ ? sdk::parameter_gradient(launch, 1) : nullptr,
                        .add = launch.accumulate_parameters != 0});
    }

private:
    static KernelGradients make(const ConvGeometry& geometry, Layout& layout) {
        const TileGrid grid(geometry.batch, geometry.height.out, geometry.width.out, kTaps3);
        std::vector<KernelUse> uses;
        uses.push_back({KernelPart(), input_view(geometry, grid), output_view(geometry, grid)});
        return {grid, std::move(uses), layout};
    }

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

std::unique_ptr<ConvPass> make_winograd_forward(const ConvGeometry& geometry) {
    return std::make_unique<WinogradForward>(geometry);
}

std::unique_ptr<ConvPass> make_winograd_weight_gradient(const ConvGeometry& geometry) {
    return std::make_unique<WinogradBackwardWeights>(geometry);
}

std::unique_ptr<ConvPass> make_winograd_backward_data(const ConvGeometry& geometry, bool accumulate) {
    return std::make_unique<WinogradBackwardData>(geometry, accumulate);
}

}  // namespace sluice::onednn
