// Checks the class numbers of a sample when it is made, before a training step uses them.
#pragma once

#include <cstdint>
#include <vector>

#include "data/chain/chain.hpp"
#include "data/chain/sample.hpp"
#include "registry/objects/label_range.hpp"

namespace sluice::data {

// Throws Error(Exit::data): "data.train: sample 17 (a.png): field 'label' is 12 ('zebra'); loss 'dice' takes classes 0
// to 9 ('cat' to 'dog')".
void check_labels(const std::vector<registry::LabelReader>& readers, const Sample& sample, const Chain& chain,
                  std::uint64_t index);

}  // namespace sluice::data
