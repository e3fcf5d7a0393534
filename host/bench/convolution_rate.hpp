// The best rate at which direct convolutions run here: 3x3, 256 to 256 channels, 64x64 pixels, by all
// providers with their Winograd algorithms off. It is what a layer's time is held against.
#pragma once

#include <array>
#include <memory>

#include "bench/launch_work.hpp"
#include "config/spec.hpp"
#include "registry/loading/registry.hpp"

namespace sluice::bench {

// FLOP a second of each kind of arithmetic.
using ArithmeticRates = std::array<double, kArithmetics>;

class ConvolutionRate {
public:
    // Device and precision are those of `pipeline`.
    ConvolutionRate(const config::PipelineSpec& pipeline, const registry::Registry& registry, int threads);
    ~ConvolutionRate();

    // Some more repetitions: rounds between the steps of the pipeline see the machine as these do.
    void measure();
    // The best so far.
    [[nodiscard]] ArithmeticRates best() const;

private:
    [[nodiscard]] double shortest() const;

    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace sluice::bench
