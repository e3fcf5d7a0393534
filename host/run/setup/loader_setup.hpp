// Settings of loaders and threads for the commands that read data or compute: sizes of batches, workers and memory.
#pragma once

#include <cstdint>
#include <span>

#include "config/spec.hpp"
#include "data/chain/chain.hpp"
#include "data/loader/loader.hpp"
#include "plan/toolbox.hpp"
#include "run/network/thread_plan.hpp"

namespace sluice::run {

// Plans the threads and workers for batches of these fields, on this number of cores.
ThreadPlan thread_plan(const config::PipelineSpec& spec, const plan::Toolbox& tools,
                       std::span<const registry::Field> fields, plan::Mode mode, int cores);
// Returns the options of a loader. If `workers` or `prefetch` is "auto", training starts from these values, and the
// autotuner raises them up to the limits in the options.
data::LoaderOptions loader_options(const config::PipelineSpec& spec, bool training, int cores);

// Throws Error(Exit::config) if data.memory is set and its share for batches does not hold two of them: the one in use
// and a prefetched one.
void check_batches_fit(const config::PipelineSpec& spec, const data::Chain& chain, std::int64_t batch);

// Returns the samples per batch in evaluation. Pictures of different sizes cannot share a batch, so they are taken one
// by one.
std::int64_t validation_batch(const config::PipelineSpec& spec, const data::Chain& chain);

}  // namespace sluice::run
