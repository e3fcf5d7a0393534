#include "bench/launch_limit.hpp"

namespace sluice::bench {

LaunchLimit launch_limit(double flops, double bytes, double rate, const std::vector<Bandwidth>& bandwidth) {
    return {.arithmetic = flops > 0.0 ? flops / rate : 0.0, .memory = bytes / bandwidth_for(bandwidth, bytes)};
}

}  // namespace sluice::bench
