#include "types/pooling/pool_geometry.hpp"

#include <algorithm>
#include <string>

namespace sluice::reference {
namespace {

WindowAxis whole_axis(std::int64_t in) { return {.in = in, .out = 1, .kernel = in, .stride = 1}; }

}  // namespace

PoolGeometry pool_geometry(const Window& window, const sluice_tensor_spec& input) {
    const std::int64_t most = *std::max_element(window.pad.begin(), window.pad.end());
    if (most >= window.kernel) {
        throw sdk::Failure(SLUICE_INVALID, window.layer + ": pad is " + std::to_string(most) + " and kernel is " +
                                               std::to_string(window.kernel) +
                                               "; pad must be smaller, or a window would lie in padding alone");
    }
    return {.batch = input.shape[0],
            .channels = input.shape[3],
            .height = height_axis(window, input.shape[1]),
            .width = width_axis(window, input.shape[2])};
}

PoolGeometry global_pool_geometry(const sluice_tensor_spec& input) {
    return {.batch = input.shape[0],
            .channels = input.shape[3],
            .height = whole_axis(input.shape[1]),
            .width = whole_axis(input.shape[2])};
}

}  // namespace sluice::reference
