// Computes a training step on a GPU, except for its kernels and the optimizer (sluice/kind/step.h).
#pragma once

#include "sluice/sdk/device.hpp"

namespace sluice::cudnn {

class CudaStep : public sdk::Step {
public:
    void begin(const sluice_step_rule& rule, const sluice_step_start* start, const sluice_step_report* report,
               sluice_step_scalars* scalars, void* stream) final;
    void add_loss(const float* pairs, std::uint64_t count, bool is_first, sluice_step_report* report,
                  const sluice_threads* threads, void* stream) final;
    [[nodiscard]] std::uint64_t workspace(std::uint64_t count) const noexcept final;
    void sum_squares(const float* values, std::uint64_t count, sluice_step_report* report, void* workspace,
                     const sluice_threads* threads, void* stream) final;
    void decide(const sluice_step_rule& rule, sluice_step_scalars* scalars, sluice_step_report* report,
                void* stream) final;
    void restore(float* to, const float* from, std::uint64_t count, const sluice_step_report* report,
                 const sluice_threads* threads, void* stream) final;
    void move_average(float* average, const float* values, std::uint64_t count, double decay,
                      const sluice_step_scalars* scalars, const sluice_step_report* report,
                      const sluice_threads* threads, void* stream) final;
    void round(void* to, const float* values, std::uint64_t count, sluice_dtype dtype, const sluice_threads* threads,
               void* stream) final;
};

}  // namespace sluice::cudnn
