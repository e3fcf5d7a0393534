// The fields that batches of a pipeline consist of.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "config/spec.hpp"
#include "data/chain/chain.hpp"

namespace sluice::run {

// Returns the fields of a batch of `batch` samples. If shapes differ between samples, takes those of the first sample.
std::vector<registry::Field> batch_fields(const data::Chain& chain, std::span<const std::string> names,
                                          std::int64_t batch);

// Returns the names of the fields that the model reads: input and target.
std::vector<std::string> model_fields(const config::ModelSpec& model);

// Returns the names of the fields that go into batches: those of the model, or all if the pipeline has no model.
std::vector<std::string> fields_in_batches(const config::PipelineSpec& spec, const data::Chain& chain);

}  // namespace sluice::run
