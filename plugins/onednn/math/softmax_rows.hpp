// Softmax of rows of scores, [rows, classes] in dense float32 memory.
#pragma once

#include <cstdint>

namespace sluice::onednn {

struct Rows {
    std::int64_t count;
    std::int64_t classes;
};

// to = exp(score - most), with the largest score of the row in most[row] and the sum of the row of `to` in sums[row].
void row_exponentials(float* to, const float* scores, const Rows& rows, float* most, float* sums);
// to = factors[row] * from; with `add` it is added to `to`.
void scale_rows(float* to, const float* from, const Rows& rows, const float* factors, bool add);
// sums [classes] += factors[row] * from, over the rows.
void add_rows(float* sums, const float* from, const Rows& rows, const float* factors);
// to = factors[row] * from * (slopes[class] - means[row]); with `add` it is added to `to`.
void slope_rows(float* to, const float* from, const Rows& rows, const float* slopes, const float* means,
                const float* factors, bool add);
// means[row] = the sum of from * slopes[class].
void mean_rows(float* means, const float* from, const Rows& rows, const float* slopes);

}  // namespace sluice::onednn
