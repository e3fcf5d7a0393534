// Losses of pairs of numbers in dense float32 memory: sums over `count` pairs, and derivatives.
#pragma once

#include <cstdint>

namespace sluice::onednn {

using PairGradient = void (*)(float* to, const float* a, const float* b, std::int64_t count, float factor,
                              float parameter, bool add);

// The functions of a pair loss. `parameter` is epsilon of charbonnier, the weight of positive targets of binary
// cross-entropy, else unused. A gradient is multiplied by `factor`.
struct PairLoss {
    double (*sum)(const float* a, const float* b, std::int64_t count, float parameter);
    PairGradient by_first;
    PairGradient by_second;  // NULL: by_first with the other sign
};

extern const PairLoss kAbsolute;            // |a - b|
extern const PairLoss kSquared;             // (a - b)^2
extern const PairLoss kCharbonnier;         // sqrt((a - b)^2 + epsilon^2)
extern const PairLoss kBinaryCrossEntropy;  // of scores a and targets b of 0 to 1

}  // namespace sluice::onednn
