// Loops over rows [count, width] of float32, each row by itself. With `add`, a result is added to `to`.
#pragma once

#include <cstdint>

namespace sluice::onednn {

struct RowShape {
    std::int64_t count;
    std::int64_t width;
};

// to = result * (gradient - sum of gradient * result), the sum over the row.
void softmax_gradient(float* to, const float* result, const float* gradient, const RowShape& shape, bool add);

// rows += bias; with `relu`, negative numbers then become 0. bias: [width]; null: none.
void shift_rows(float* rows, const float* bias, const RowShape& shape, bool relu);

}  // namespace sluice::onednn
