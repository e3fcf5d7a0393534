// Which samples are for training and which for validation: decided by their names alone, never by their order.
#pragma once

#include <string>
#include <vector>

namespace sluice::shared_files {

// Keeps the names of one split, in the order given. Names are ranked by a hash; the first share * N of the ranking,
// rounded, are "validation", the others "train"; "all" keeps every name. Throws SLUICE_INVALID where none is left.
std::vector<std::string> split_by_name(std::vector<std::string> names, const std::string& split,
                                       double validation_share);

}  // namespace sluice::shared_files
