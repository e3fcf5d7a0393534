// Reports files that a data set should have but lacks.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "sluice/sdk/host.hpp"
#include "sluice/sdk/options.hpp"

namespace sluice::shared_files {

// `missing`: for each incomplete sample, the beginning of a sentence that says what is missing. If there are any,
// throws SLUICE_BAD_SAMPLE with the first one and a remedy, before training starts; `other_ways` opens the remedy. With
// the option 'missing_is_bad', which every source with such files has, it only warns, and reading these samples fails.
// If all samples are incomplete (`all` is their number), it always throws.
void report_missing(const sdk::Host& host, const sdk::Options& options, std::span<const std::string> missing,
                    std::size_t all, const std::string& other_ways = "");

}  // namespace sluice::shared_files
