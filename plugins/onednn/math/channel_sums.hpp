// Sums of each channel over rows [count, C] of float or Bfloat16.
#pragma once

#include <cstdint>

namespace sluice::onednn {

// sums[c] += the sum of channel c. scratch: [C] floats.
template <class Element>
void add_sums(double* sums, const Element* rows, std::int64_t count, std::int64_t channels, float* scratch);

}  // namespace sluice::onednn
