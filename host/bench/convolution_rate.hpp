// The peak rate of direct convolutions on this device: 3x3, 256 to 256 channels, up to 64x64 pixels. All providers take
// part, with their Winograd algorithms off. `host bench` compares the time of each layer with it.
#pragma once

#include <memory>

#include "config/spec.hpp"
#include "registry/loading/registry.hpp"

namespace sluice::bench {

class ConvolutionRate {
public:
    // Uses the device and the precision of `pipeline`.
    ConvolutionRate(const config::PipelineSpec& pipeline, const registry::Registry& registry, int threads);
    ~ConvolutionRate();

    // Adds some repetitions. Call it between steps of the pipeline, so that both see the machine in the same state.
    void measure();
    // Returns the best FLOP per second of a launch so far.
    [[nodiscard]] double best() const;

private:
    [[nodiscard]] double shortest() const;

    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace sluice::bench
