// Weights of samples: a preparation stores them with the samples, and a later pipeline draws by them.
#pragma once

#include <vector>

#include "config/spec.hpp"
#include "registry/loading/registry.hpp"

namespace sluice::prepare {

// The weight of each sample if the pipeline draws samples by weights; otherwise empty.
std::vector<double> weights_of(const config::StreamSpec& made, const registry::Registry& registry);

// The same stream without weighted sampling, for a chain whose samples are read in order. Reading the weights may take
// as long as reading all samples.
config::StreamSpec without_weights(config::StreamSpec stream);

}  // namespace sluice::prepare
