// Reads samples of a source, for its cases.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "check/cases/data_sample.hpp"
#include "check/contract/cases.hpp"
#include "registry/objects/source.hpp"

namespace sluice::check {

registry::Source open_source(Trial& trial);

// Reads a sample into `buffer`. Returns why the sample is bad; nothing if it was read.
std::optional<std::string> refusal(const registry::Source& source, const registry::WorkerContext& context,
                                   std::uint64_t index, std::uint64_t seed, SampleBuffer& buffer);
// Returns a hash of the sample, or why it is bad.
std::string read_sample(const registry::Source& source, const registry::WorkerContext& context, std::uint64_t index,
                        std::uint64_t seed);

// Indices of the first sample, the last, and some between them.
std::vector<std::uint64_t> some_samples(Trial& trial, const registry::Source& source);

// By index, the results of read_sample().
using Samples = std::map<std::uint64_t, std::string>;

// Reads samples in the order of `indices`, with one context.
Samples read_in_order(const registry::Source& source, const std::vector<std::uint64_t>& indices,
                      std::uint64_t seed = 1);

// Cases with files that are cut, removed or changed.
std::span<const Case> source_file_cases();
// Cases for names of classes.
std::span<const Case> source_name_cases();

}  // namespace sluice::check
