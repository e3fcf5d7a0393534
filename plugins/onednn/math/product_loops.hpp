// Products of rows, some of which are one repeated number. Element is float or Bfloat16.
#pragma once

#include <cstdint>

namespace sluice::onednn {

// A row, or one number that stands for a row.
template <class Element>
struct Factor {
    const Element* data;
    bool repeats;
};

// to = from * factor; to may be from. From is Element or float.
template <class From, class Element>
void multiply_row(float* to, const From* from, const Factor<Element>& factor, std::int64_t count);
// sums[i] += row[i]
void add_to_sums(double* sums, const float* row, std::int64_t count);
double sum_of_row(const float* row, std::int64_t count);
// to = sums; with `add` it is added to `to`.
template <class Element>
void store_sums(Element* to, const double* sums, std::int64_t count, bool add);

}  // namespace sluice::onednn
