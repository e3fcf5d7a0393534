// Which samples are for training and which for validation: decided by their names alone, never by their order.
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

// What a source's options say.
struct Split {
    std::string part;  // "train", "validation"; "all" keeps every name
    double validation_share = 0.0;
    std::optional<Fold> fold;  // decides instead of validation_share
};

// From the options 'split', 'validation_share', 'folds' and 'fold'. Throws SLUICE_INVALID where the last two do not
// fit.
Split read_split(const sdk::Options& options);

// Keeps the names of one split, in the order given. Names are ranked by a hash, and of the ranking the first
// validation_share * N, rounded, are "validation"; or, with a fold, its part of N / count. The others are "train".
// Throws SLUICE_INVALID where none is left.
std::vector<std::string> split_by_name(std::vector<std::string> names, const Split& split);

}  // namespace sluice::shared_files
