// Extents of a pooling: shared by the layer types and the reference kernels.
#pragma once

#include <cstdint>

#include "sluice/sdk/tensor.hpp"
#include "types/window.hpp"

namespace sluice::reference {

struct PoolGeometry {
    std::int64_t batch = 0;
    std::int64_t channels = 0;
    WindowAxis height;
    WindowAxis width;
};

// input: [N, H, W, C]. Throws SLUICE_INVALID if the window does not fit or can lie in padding alone.
PoolGeometry pool_geometry(const Window& window, const sluice_tensor_spec& input);
// One window over the whole image.
PoolGeometry global_pool_geometry(const sluice_tensor_spec& input);

}  // namespace sluice::reference
