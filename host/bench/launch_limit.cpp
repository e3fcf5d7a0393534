#include "bench/launch_limit.hpp"

namespace sluice::bench {

// A launch that overwrites what it reads touches half as much memory as it moves bytes, which may fit into a faster
// cache.
LaunchLimit launch_limit(double flops, double bytes, double rate, const std::vector<Bandwidth>& bandwidth) {
    return {.arithmetic = flops > 0.0 ? flops / rate : 0.0, .memory = bytes / bandwidth_for(bandwidth, bytes / 2.0)};
}

}  // namespace sluice::bench
