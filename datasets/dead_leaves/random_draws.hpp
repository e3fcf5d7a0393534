// The distributions for the parts of an image.
#pragma once

#include <cmath>

#include "sluice/sdk/data.hpp"

namespace sluice::dead_leaves {

inline float between(sdk::Draws& draws, float least, float greatest) {
    return least + (greatest - least) * draws.uniform();
}

// Log-uniform: every factor of two is equally likely.
inline float log_between(sdk::Draws& draws, float least, float greatest) {
    return least * std::pow(greatest / least, draws.uniform());
}

// Approximately normal, mean 0 and deviation 1: a sum of four uniform draws (Irwin-Hall), at most 3.5 in magnitude.
inline float normal(sdk::Draws& draws) {
    const float sum = draws.uniform() + draws.uniform() + draws.uniform() + draws.uniform();
    return (sum - 2.0F) * 1.7320508F;
}

inline bool happens(sdk::Draws& draws, float probability) { return draws.uniform() < probability; }

}  // namespace sluice::dead_leaves
