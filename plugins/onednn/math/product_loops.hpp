// Loops of products of rows of float32, some of which are one number repeated.
#pragma once

#include <cstdint>

namespace sluice::onednn {

// A row, or one number that stands for a row.
struct Factor {
    const float* data;
    bool repeats;
};

// to = from * factor; to may be from.
void multiply_row(float* to, const float* from, const Factor& factor, std::int64_t count);
// sums[i] += row[i]
void add_to_sums(double* sums, const float* row, std::int64_t count);
double sum_of_row(const float* row, std::int64_t count);
// to = sums, added to what is there where `add`.
void store_sums(float* to, const double* sums, std::int64_t count, bool add);

}  // namespace sluice::onednn
