// Loops of bilinear upsampling over one row of pixels [width, C] of float32.
#pragma once

#include <cstdint>
#include <span>

namespace sluice::onednn {

// One output position of an axis: (1 - part) * x[low] + part * x[high].
struct Mix {
    std::int64_t low;
    std::int64_t high;
    float part;
};

// Two rows of the input, which the output row mixes with the weights 1 - part and part.
struct RowPair {
    const float* low;
    const float* high;
    float part;
};
void mix_row(const RowPair& rows, std::span<const Mix> columns, std::int64_t channels, float* to);

// Adds `share` times the gradient of an output row to the gradient of an input row.
void add_row_gradient(const float* gradient, float share, std::span<const Mix> columns, std::int64_t channels,
                      float* to);

}  // namespace sluice::onednn
