// Loops that only multiply and add numbers in registers: nothing in this program computes faster on one core.
#pragma once

#include <cstdint>
#include <vector>

#include "base/tensor.hpp"

namespace sluice {

struct MultiplyLoop {
    double flops = 0.0;  // of a turn; a multiplication and an addition are two
    // Runs so many turns. The result depends on every one, so that the compiler keeps them.
    double (*run)(std::int64_t turns) = nullptr;
};

// Returns the loops for operands of this type, one for each kind of instruction that this processor has. Sums are
// float32, or float16 where the processor has such units. A type without units of its own counts as float32, since
// kernels then compute in float32.
std::vector<MultiplyLoop> multiply_loops(sluice_dtype operands);

}  // namespace sluice
