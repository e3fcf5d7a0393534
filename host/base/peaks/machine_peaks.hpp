// The peak rates of this process's cores and memory, measured when they are first asked for, and then kept. They take
// at most about 0.2 s in all, so that a recorded window can show them.
#pragma once

#include <vector>

#include "base/peaks/bandwidth.hpp"
#include "base/tensor.hpp"
#include "sluice/host.h"

namespace sluice {

// FLOP per second of `threads` together, with operands of this type.
double machine_peak_rate(const sluice_threads& threads, sluice_dtype operands);

// Bandwidth of caches and memory, up to arrays of 64 MiB.
std::vector<Bandwidth> machine_bandwidth(const sluice_threads& threads);

}  // namespace sluice
