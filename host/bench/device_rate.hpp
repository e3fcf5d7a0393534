// The best rate of convolutions on a device other than the CPU: 3x3, 256 to 256 channels, up to 64x64 pixels. All
// providers take part, with their Winograd algorithms off. A loop of our own cannot run there.
#pragma once

#include <memory>

#include "bench/peak_rates.hpp"
#include "config/spec.hpp"
#include "registry/loading/registry.hpp"

namespace sluice::bench {

class DeviceRate {
public:
    // Uses the device and the precision of `pipeline`.
    DeviceRate(const config::PipelineSpec& pipeline, const registry::Registry& registry, int threads);
    ~DeviceRate();

    // Adds some repetitions. Call it between steps of the pipeline, so that both see the machine in the same state.
    void measure();
    // Raises the rates to the best of all repetitions.
    void raise(PeakRates& rates) const;

private:
    [[nodiscard]] double shortest() const;

    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace sluice::bench
