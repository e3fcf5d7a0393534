// softmax_cross_entropy of probabilities, for make_softmax_cross_entropy.
#pragma once

#include "kernels/kernels.hpp"

namespace sluice::onednn {

KernelPtr make_probability_cross_entropy(const sdk::Node& node, const sdk::KernelSink& sink);

}  // namespace sluice::onednn
