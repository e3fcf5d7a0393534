#include "types/convolution/transpose_geometry.hpp"

#include <string>

namespace sluice::reference {
namespace {

// index: 0 for the height, 1 for the width.
WindowAxis make_axis(const TransposeOptions& options, std::int64_t extent, const char* name, std::size_t index) {
    const Window& window = options.window;
    WindowAxis axis{.out = extent, .kernel = window.kernel, .stride = window.stride};
    if (window.padding == Padding::same) {
        axis.in = extent * window.stride;
        axis.pad = sdk::same_transposed_padding(window.kernel, window.stride);
        return axis;
    }
    axis.pad = sdk::axis_of(window.pad, index);
    axis.in = (extent - 1) * window.stride + window.kernel - axis.pad.before - axis.pad.after + options.output_padding;
    if (axis.in < 1) {
        throw sdk::Failure(SLUICE_INVALID, "conv2d_transpose: the output's " + std::string(name) + " would be " +
                                               std::to_string(axis.in) + "; pad must be smaller");
    }
    return axis;
}

}  // namespace

TransposeOptions::TransposeOptions(const sdk::Options& options)
    : window("conv2d_transpose", options),
      filters(options.maybe_integer("filters")),
      output_padding(options.integer("output_padding")) {
    if (output_padding > 0 && window.padding == Padding::same) {
        throw sdk::Failure(SLUICE_INVALID,
                           "conv2d_transpose: output_padding is " + std::to_string(output_padding) +
                               " and padding is \"same\", which gives stride times the extents; it should be 0");
    }
    if (output_padding > 0 && output_padding >= window.stride) {
        throw sdk::Failure(SLUICE_INVALID, "conv2d_transpose: output_padding is " + std::to_string(output_padding) +
                                               "; it should be less than stride, " + std::to_string(window.stride));
    }
}

TransposeGeometry transpose_geometry(const TransposeOptions& options, const sluice_tensor_spec& input) {
    TransposeGeometry geometry;
    geometry.batch = input.shape[0];
    geometry.channels = input.shape[3];
    geometry.filters = options.filters.value_or(geometry.channels);
    geometry.height = make_axis(options, input.shape[1], "height", 0);
    geometry.width = make_axis(options, input.shape[2], "width", 1);
    return geometry;
}

}  // namespace sluice::reference
