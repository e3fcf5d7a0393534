// The parts of a step that the device itself computes, besides kernels and the optimizer (kind/step.h). All calls are
// queued on the stream, except workspace().
#pragma once

#include <memory>

#include "registry/objects/device.hpp"
#include "sluice/kind/step.h"

namespace sluice::registry {

class StepCalls {
public:
    // Throws Error(Exit::device) if the device cannot train. `threads`: CPU threads of the replica.
    StepCalls(std::shared_ptr<const Device> device, void* stream, const sluice_threads* threads);

    void begin(const sluice_step_rule& rule, const sluice_step_start* start, const sluice_step_report* report,
               sluice_step_scalars* scalars) const;
    // pairs: (sum, weight) of a loss. is_first: true for the first call of a step.
    void add_loss(const float* pairs, std::uint64_t count, bool is_first, sluice_step_report* report) const;
    // Size in bytes of the workspace of sum_squares() for `count` values.
    [[nodiscard]] std::uint64_t workspace(std::uint64_t count) const;
    void sum_squares(const float* values, std::uint64_t count, sluice_step_report* report, void* workspace) const;
    void decide(const sluice_step_rule& rule, sluice_step_scalars* scalars, sluice_step_report* report) const;
    void restore(float* to, const float* from, std::uint64_t count, const sluice_step_report* report) const;
    void move_average(float* average, const float* values, std::uint64_t count, double decay,
                      const sluice_step_scalars* scalars, const sluice_step_report* report) const;
    void round(void* to, const float* values, std::uint64_t count, sluice_dtype dtype) const;

private:
    [[nodiscard]] void* self() const { return device_->object().self(); }
    template <class Function, class... Args>
    void call(const char* action, Function function, Args... args) const;

    std::shared_ptr<const Device> device_;
    void* stream_;
    const sluice_threads* threads_;
};

}  // namespace sluice::registry
