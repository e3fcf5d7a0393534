// The best rate of convolutions on a device other than the CPU: 3x3, 256 to 256 channels, up to 64x64 pixels. All
// providers take part, with their Winograd algorithms off. A loop of our own cannot run there.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "bench/peak_rates.hpp"
#include "config/spec.hpp"
#include "plan/toolbox.hpp"
#include "registry/loading/registry.hpp"

namespace sluice::bench {

class DeviceRate {
public:
    // Uses the device and the precision of `pipeline`.
    DeviceRate(const config::PipelineSpec& pipeline, const registry::Registry& registry, int threads);
    // Uses the device of `first`, and takes less time on a slow device.
    DeviceRate(const config::PipelineSpec& pipeline, const plan::Toolbox& first, int threads);
    ~DeviceRate();

    // Adds some repetitions. Call it between steps of the pipeline, so that both see the machine in the same state.
    void measure();
    // Raises the rates to the best of all repetitions.
    void raise(PeakRates& rates) const;

private:
    struct Size {
        std::int64_t batch;
        std::int64_t side;  // pixels
    };
    struct State;
    DeviceRate(std::unique_ptr<State> state, std::span<const Size> sizes, int threads);

    [[nodiscard]] double shortest() const;

    static const Size kSizes[];
    static const Size kQuickSizes[];
    std::unique_ptr<State> state_;
};

}  // namespace sluice::bench
