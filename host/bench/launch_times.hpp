// Reads the clock after every launch of a step. What a step does between launches belongs to none of them.
#pragma once

#include <vector>

#include "registry/objects.hpp"
#include "run/launch_watch.hpp"

namespace sluice::bench {

class LaunchTimes : public run::LaunchWatch {
public:
    // Both outlive it. `steps` is the length of the plan.
    LaunchTimes(const registry::Device& device, void* stream, std::size_t steps);

    void pass_begins() override;
    void launch_ended(const plan::Launch& launch) override;

    // After each step: keeps its times and begins anew. Returns their sum in seconds.
    double end_step();
    // Seconds of that launch in every step so far.
    [[nodiscard]] const std::vector<double>& of(const plan::Launch& launch) const;

private:
    const registry::Device& device_;
    void* stream_;
    double last_ = 0.0;
    std::vector<double> current_;            // [kDirections * step + direction]
    std::vector<std::vector<double>> kept_;  // likewise, of all steps
};

}  // namespace sluice::bench
