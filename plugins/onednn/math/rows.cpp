#include "math/rows.hpp"

#include "sluice/sdk/clones.hpp"

namespace sluice::onednn {
namespace {

constexpr std::int64_t kLanes = 16;  // running sums, so that the compiler uses vectors

}  // namespace

SLUICE_CLONES void softmax_gradient(float* to, const float* result, const float* gradient, const RowShape& shape,
                                    bool add) {
    for (std::int64_t row = 0; row < shape.count; ++row) {
        const float* y = result + row * shape.width;
        const float* slope = gradient + row * shape.width;
        float* mine = to + row * shape.width;
        float lanes[kLanes] = {};
        std::int64_t c = 0;
        for (; c + kLanes <= shape.width; c += kLanes) {
            for (std::int64_t lane = 0; lane < kLanes; ++lane) {
                lanes[lane] += y[c + lane] * slope[c + lane];
            }
        }
        float sum = 0.0F;
        for (; c < shape.width; ++c) {
            sum += y[c] * slope[c];
        }
        for (const float lane : lanes) {
            sum += lane;
        }
        for (c = 0; c < shape.width; ++c) {
            const float value = y[c] * (slope[c] - sum);
            mine[c] = add ? mine[c] + value : value;
        }
    }
}

SLUICE_CLONES void shift_rows(float* rows, const float* bias, const RowShape& shape, bool relu) {
    for (std::int64_t row = 0; row < shape.count; ++row) {
        float* mine = rows + row * shape.width;
        for (std::int64_t c = 0; c < shape.width; ++c) {
            const float sum = bias == nullptr ? mine[c] : mine[c] + bias[c];
            mine[c] = relu && sum < 0.0F ? 0.0F : sum;
        }
    }
}

}  // namespace sluice::onednn
