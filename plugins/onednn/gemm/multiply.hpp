// Products of float32 matrices on the calling thread, for operands that lie close together: the building block of the
// convolutions in winograd/. The caller packs the operands and divides the work among threads.
#pragma once

#include <cstdint>

namespace sluice::onednn {

// c[m, n] = sum over k of a[m, k] * b[k, n]; with `add` it adds to c.
struct Product {
    const float* a;  // [rows, depth]; element (m, k) at m * a_row + k * a_step
    std::int64_t a_row;
    std::int64_t a_step;
    const float* b;  // [depth, columns]; rows b_row apart
    std::int64_t b_row;
    float* c;  // [rows, columns]; rows c_row apart
    std::int64_t c_row;
    std::int64_t rows;
    std::int64_t columns;  // a multiple of vector_width()
    std::int64_t depth;
    bool add;
    const float* next = nullptr;  // operand b of the next product, prefetched meanwhile: [depth, columns], dense
};
void multiply(const Product& product);

// Returns the number of floats in a vector of the instruction set in use.
std::int64_t vector_width();

// Returns the number of columns that multiply() takes at once. Operand b is best laid out in panels of that many
// columns, each [depth, columns].
std::int64_t panel_width();

inline std::int64_t round_up(std::int64_t value, std::int64_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

}  // namespace sluice::onednn
