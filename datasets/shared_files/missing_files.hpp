// Files that a data set should have and has not.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "sluice/sdk/host.hpp"
#include "sluice/sdk/options.hpp"

namespace sluice::shared_files {

// `missing`: of each what is missing, as a sentence's beginning. Throws SLUICE_BAD_SAMPLE with the first of them, so
// that it is heard of before a training starts, and the way out; `other_ways` opens that sentence. With the option
// 'missing_is_bad', which every source with such files has, it is a warning: reading these samples fails. If all of
// them are missing, of `all` samples, there is no such way out.
void tell_missing(const sdk::Host& host, const sdk::Options& options, std::span<const std::string> missing,
                  std::size_t all, const std::string& other_ways = "");

}  // namespace sluice::shared_files
