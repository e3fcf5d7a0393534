// Extents of a 2-D convolution and where its window reads: shared by the layer type and the reference kernel.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sluice/sdk/options.hpp"
#include "sluice/sdk/tensor.hpp"

namespace sluice::reference {

enum class Padding { same, valid, reflect };

// The options that decide the geometry; an option tree does not outlive create().
struct ConvWindow {
    explicit ConvWindow(const sdk::Options& options);

    std::optional<std::int64_t> filters;  // as many as input channels where absent
    std::int64_t kernel;
    std::int64_t stride;
    Padding padding;
};

// One spatial axis.
struct ConvAxis {
    std::int64_t in = 0;
    std::int64_t out = 0;
    std::int64_t kernel = 0;
    std::int64_t stride = 0;
    std::int64_t before = 0;  // padding in front of the first element
    bool reflect = false;     // padding mirrors the input without repeating its edge; otherwise it is zero

    // The input position that tap `k` of output position `o` reads, at [o * kernel + k]; -1 is a padding zero.
    [[nodiscard]] std::vector<std::int64_t> sources() const;
};

struct ConvGeometry {
    std::int64_t batch = 0;
    std::int64_t channels = 0;
    std::int64_t filters = 0;
    ConvAxis height;
    ConvAxis width;
};

// input: [N, H, W, C]. Throws SLUICE_INVALID where the window does not fit.
ConvGeometry conv_geometry(const ConvWindow& window, const sluice_tensor_spec& input);

}  // namespace sluice::reference
