// Measures the passes that compute one convolution.
//
// cuDNN takes 10 to 20 microseconds of host time to enqueue a convolution, longer than the GPU takes for a small one.
// So many runs are captured as a graph, and its replay is timed while the GPU is busy with the replay before it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conv/pass.hpp"

namespace sluice::cudnn {

// Returns the index of the pass with the smallest median time, and sets that time in the pass. Empty: all passes fail.
// passes: of one problem, not empty. The measurement allocates memory of its own and frees it.
//
// Passes that cannot be captured come last, because with one of them the whole step could not be captured. A pass that
// fails or computes wrong numbers is skipped, and `failures` gets the reason. Throws SLUICE_NO_MEMORY if the GPU lacks
// memory for the measurement.
std::optional<std::size_t> fastest(const Handle& handle, const std::vector<std::unique_ptr<ConvPass>>& passes,
                                   std::vector<std::string>& failures);

}  // namespace sluice::cudnn
