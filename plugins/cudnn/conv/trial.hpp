// Measures ways to compute one convolution.
//
// cuDNN takes 10 to 20 microseconds of the host to put one on a stream, longer than small ones take the GPU: many runs
// are recorded as a graph, and its replay is timed while the GPU is busy with the replay before.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conv/pass.hpp"

namespace sluice::cudnn {

// The index of the pass with the smallest median time, which it has afterwards, on memory of its own that is given
// back. Those come last that cannot be recorded and would keep the whole step from it. A pass that fails, or computes
// wrong numbers, is left out, and `failures` gets why; nothing where all fail. passes: of one problem, not empty.
// Throws SLUICE_NO_MEMORY where the GPU has no memory for it.
std::optional<std::size_t> fastest(const Handle& handle, const std::vector<std::unique_ptr<ConvPass>>& passes,
                                   std::vector<std::string>& failures);

}  // namespace sluice::cudnn
