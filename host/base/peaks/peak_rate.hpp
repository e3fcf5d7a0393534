// The peak rate of arithmetic of the cores: no kernel computes faster.
#pragma once

#include "base/tensor.hpp"
#include "sluice/host.h"

namespace sluice {

// Returns FLOP per second of all threads together, with operands of this type: the best of many short rounds of the
// fastest of multiply_loops(). Takes about 50 ms for each of these loops.
double measure_peak_rate(const sluice_threads& threads, sluice_dtype operands);

}  // namespace sluice
