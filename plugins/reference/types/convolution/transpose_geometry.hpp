// Extents of a transposed convolution: shared by the layer type and the reference kernel.
#pragma once

#include <cstdint>
#include <optional>

#include "sluice/sdk/tensor.hpp"
#include "types/window.hpp"

namespace sluice::reference {

// The options that decide the geometry.
struct TransposeOptions {
    explicit TransposeOptions(const sdk::Options& options);

    Window window;
    std::optional<std::int64_t> filters;  // default: as many as input channels
    std::int64_t output_padding;          // extra elements at the end of each axis
};

// The axes are those of the convolution whose adjoint this one is: their `in` is the extent of our output, their `out`
// that of our input.
struct TransposeGeometry {
    std::int64_t batch = 0;
    std::int64_t channels = 0;
    std::int64_t filters = 0;
    WindowAxis height;
    WindowAxis width;
};

// input: [N, H, W, C]. Throws SLUICE_INVALID if nothing is left of an axis.
TransposeGeometry transpose_geometry(const TransposeOptions& options, const sluice_tensor_spec& input);

}  // namespace sluice::reference
