// What a command needs to compute with a pipeline. Commands open it in the order in which errors should be found:
// configuration, plugins, data, device, plan.
#pragma once

#include <vector>

#include "config/spec.hpp"
#include "data/chain/chain.hpp"
#include "data/loader/loader.hpp"
#include "plan/toolbox.hpp"
#include "registry/loading/registry.hpp"
#include "run/network/thread_plan.hpp"

namespace sluice::run {

// Returns the fields of a batch of `batch` samples. If shapes differ between samples, takes those of the first sample.
std::vector<registry::Field> batch_fields(const data::Chain& chain, std::span<const std::string> names,
                                          std::int64_t batch);

// Returns the names of the fields that the model reads: input and target.
std::vector<std::string> model_fields(const config::ModelSpec& model);

// Returns the names of the fields that go into batches: those of the model, or all if the pipeline has no model.
std::vector<std::string> fields_in_batches(const config::PipelineSpec& spec, const data::Chain& chain);

// Opens the optimizer of the table [optimizer] for this kind of device.
registry::Optimizer open_optimizer(const config::PipelineSpec& spec, const registry::Registry& registry,
                                   const std::string& device_kind);

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
