// Dropout's random choice: the run's generator (sluice/random.h), many blocks side by side.
#pragma once

#include <cstdint>

#include "sluice/random.h"

namespace sluice::onednn {

// to[i] = from[i] * factor where element `begin + i` is kept, else 0, for i in [0, count); added to what is there
// where `add`. Element e is dropped when word e % 4 of block e / 4 of the key is below `threshold`. begin is a multiple
// of 4.
struct Dropout {
    sluice_random_key key;
    std::uint64_t threshold;  // rate * 2^32
    float factor;             // 1 / (1 - rate)
};
void dropout(const Dropout& choice, std::int64_t begin, std::int64_t count, const float* from, float* to, bool add);

}  // namespace sluice::onednn
