// Decides which chains of convolutions and normalisations run as one kernel (conv_chain.cpp).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "sluice/sdk/kernel.hpp"

namespace sluice::cudnn {

// A convolution and the batch_norm after it with its masks, as node indices in the chain. The first stage may lack the
// convolution; the last may lack the rest.
struct ConvStage {
    std::size_t begin = 0;                   // the node whose input the stage reads
    std::optional<std::size_t> convolution;  // the node with the kernels; it follows `begin` if that is an upsample
    std::optional<std::size_t> norm;
    std::size_t end = 0;  // one after its last node
};

// Returns the stages of the chain; empty: it is another chain. Convolutions after the first stage have padding
// "reflect".
std::vector<ConvStage> read_stages(const sdk::Chain& chain);

}  // namespace sluice::cudnn
