#include "math/product_loops.hpp"

#include "math/element.hpp"
#include "sluice/sdk/clones.hpp"

namespace sluice::onednn {

template <class From, class Element>
SLUICE_CLONES void multiply_row(float* to, const From* from, const Factor<Element>& factor, std::int64_t count) {
    const Element* data = factor.data;
    if (factor.repeats) {
        const float number = *data;
        for (std::int64_t i = 0; i < count; ++i) {
            to[i] = from[i] * number;
        }
        return;
    }
    for (std::int64_t i = 0; i < count; ++i) {
        to[i] = from[i] * data[i];
    }
}

SLUICE_CLONES void add_to_sums(double* __restrict sums, const float* row, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
        sums[i] += row[i];
    }
}

SLUICE_CLONES double sum_of_row(const float* row, std::int64_t count) {
    constexpr std::int64_t kLanes = 16;  // running sums, so that the compiler uses vectors
    double lanes[kLanes] = {};
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        for (std::int64_t lane = 0; lane < kLanes; ++lane) {
            lanes[lane] += row[i + lane];
        }
    }
    double sum = 0.0;
    for (; i < count; ++i) {
        sum += row[i];
    }
    for (const double lane : lanes) {
        sum += lane;
    }
    return sum;
}

template <class Element>
SLUICE_CLONES void store_sums(Element* to, const double* sums, std::int64_t count, bool add) {
    for (std::int64_t i = 0; i < count; ++i) {
        to[i] = static_cast<float>(add ? to[i] + sums[i] : sums[i]);
    }
}

template void multiply_row(float*, const float*, const Factor<float>&, std::int64_t);
template void multiply_row(float*, const float*, const Factor<Bfloat16>&, std::int64_t);
template void multiply_row(float*, const Bfloat16*, const Factor<Bfloat16>&, std::int64_t);
template void store_sums(float*, const double*, std::int64_t, bool);
template void store_sums(Bfloat16*, const double*, std::int64_t, bool);

}  // namespace sluice::onednn
