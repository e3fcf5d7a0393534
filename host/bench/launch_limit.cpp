#include "bench/launch_limit.hpp"

#include <cstddef>

namespace sluice::bench {

LaunchLimit launch_limit(const std::array<double, kArithmetics>& flops, double bytes, const ArithmeticRates& rates,
                         const std::vector<Bandwidth>& bandwidth) {
    LaunchLimit limit{.memory = bytes / bandwidth_for(bandwidth, bytes)};
    for (std::size_t kind = 0; kind < kArithmetics; ++kind) {
        limit.arithmetic += flops[kind] > 0.0 ? flops[kind] / rates[kind] : 0.0;
    }
    return limit;
}

}  // namespace sluice::bench
