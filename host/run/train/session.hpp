// Everything that a command needs to compute with a pipeline, opened in the order in which errors should be found:
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

// What a batch of `batch` samples of the chain looks like; where shapes differ per sample, those of the first sample.
std::vector<registry::Field> batch_fields(const data::Chain& chain, std::span<const std::string> names,
                                          std::int64_t batch);

// The fields that the model reads: input and target.
std::vector<std::string> model_fields(const config::ModelSpec& model);

// The fields of the chain that go into batches: those, or all where the pipeline has no model.
std::vector<std::string> fields_in_batches(const config::PipelineSpec& spec, const data::Chain& chain);

// The optimizer that [optimizer] names, for this kind of device.
registry::Optimizer open_optimizer(const config::PipelineSpec& spec, const registry::Registry& registry,
                                   const std::string& device_kind);

// Threads and workers for batches of these fields, on that many cores.
ThreadPlan thread_plan(const config::PipelineSpec& spec, const plan::Toolbox& tools,
                       std::span<const registry::Field> fields, plan::Mode mode, int cores);
// What `workers` and `prefetch` are, or begin with where they are "auto", and the budget within which training raises
// them.
data::LoaderOptions loader_options(const config::PipelineSpec& spec, bool training, int cores);

// Throws Error(Exit::config) where two batches, that in use and one ahead, do not fit into their share of
// a data.memory that is given.
void check_batches_fit(const config::PipelineSpec& spec, const data::Chain& chain, std::int64_t batch);

// Samples a batch in evaluation: pictures whose sizes differ cannot share one and are taken one by one.
std::int64_t validation_batch(const config::PipelineSpec& spec, const data::Chain& chain);

}  // namespace sluice::run
