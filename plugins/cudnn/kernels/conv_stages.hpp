// Which chains of convolutions and normalisations are one kernel (conv_chain.cpp).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "sluice/sdk/kernel.hpp"

namespace sluice::cudnn {

// A convolution and the batch_norm behind it with its cuts, by their places in the chain. The first stage may lack the
// convolution, the last one the rest.
struct ConvStage {
    std::size_t begin = 0;                   // whose input the stage reads
    std::optional<std::size_t> convolution;  // the node with the kernels: behind `begin` where that is an upsample
    std::optional<std::size_t> norm;
    std::size_t end = 0;  // behind its last node
};

// Empty: another chain. Convolutions behind the first stage have padding "reflect".
std::vector<ConvStage> read_stages(const sdk::Chain& chain);

}  // namespace sluice::cudnn
