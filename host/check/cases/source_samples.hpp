// Samples of a source, for its cases: those that are read, and what comes of it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "check/cases/data_sample.hpp"
#include "check/contract/cases.hpp"

namespace sluice::check {

registry::Source open_source(Trial& trial);

// Why there is no such sample; nothing where it is read.
std::optional<std::string> refusal(const registry::Source& source, const registry::WorkerContext& context,
                                   std::uint64_t index, std::uint64_t seed, SampleBuffer& buffer);
// A hash of the sample, or why there is none.
std::string read_sample(const registry::Source& source, const registry::WorkerContext& context, std::uint64_t index,
                        std::uint64_t seed);

// The first, the last, and some between them.
std::vector<std::uint64_t> some_samples(Trial& trial, const registry::Source& source);

using Samples = std::map<std::uint64_t, std::string>;

// What one context reads in the order of the indices.
Samples read_in_order(const registry::Source& source, const std::vector<std::uint64_t>& indices,
                      std::uint64_t seed = 1);

// Of files that are cut, gone or changed.
std::span<const Case> source_file_cases();
// Of what it calls its classes.
std::span<const Case> source_name_cases();

}  // namespace sluice::check
