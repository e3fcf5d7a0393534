// Splits samples into training and validation. Only their names decide, never their order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sluice/sdk/options.hpp"

namespace sluice::shared_files {

// One of the equal parts that samples are divided into for cross-validation.
struct Fold {
    std::int64_t number = 0;  // below count
    std::int64_t count = 2;
};

// The split options of a source.
struct Split {
    std::string part;  // "train", "validation"; "all" keeps every name
    double validation_share = 0.0;
    std::optional<Fold> fold;  // used instead of validation_share
};

// Reads the options 'split', 'validation_share', 'folds' and 'fold'. Throws SLUICE_INVALID if the last two are
// inconsistent.
Split read_split(const sdk::Options& options);

// Keeps the names of one split, in the given order. Names are ranked by a hash. The first validation_share * N of the
// ranking, rounded, are "validation"; or, with a fold, its part of N / count. The others are "train". Throws
// SLUICE_INVALID if no name is left.
std::vector<std::string> split_by_name(std::vector<std::string> names, const Split& split);

}  // namespace sluice::shared_files
