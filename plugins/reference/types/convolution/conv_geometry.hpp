// Extents of a 2-D convolution: shared by the layer type and the reference kernel.
#pragma once

#include <cstdint>
#include <optional>

#include "sluice/sdk/tensor.hpp"
#include "types/window.hpp"

namespace sluice::reference {

// The options that decide the geometry.
struct ConvOptions {
    explicit ConvOptions(const sdk::Options& options);

    Window window;
    std::optional<std::int64_t> filters;  // default: as many as input channels
    std::int64_t groups;
};

struct ConvGeometry {
    std::int64_t batch = 0;
    std::int64_t channels = 0;
    std::int64_t filters = 0;
    std::int64_t groups = 1;  // filter o reads only the channels of group o / (filters / groups)
    WindowAxis height;
    WindowAxis width;

    [[nodiscard]] std::int64_t group_channels() const { return channels / groups; }
    [[nodiscard]] std::int64_t group_filters() const { return filters / groups; }
};

// input: [N, H, W, C]. Throws SLUICE_INVALID if the window does not fit or the groups do not divide the channels.
ConvGeometry conv_geometry(const ConvOptions& options, const sluice_tensor_spec& input);

}  // namespace sluice::reference
