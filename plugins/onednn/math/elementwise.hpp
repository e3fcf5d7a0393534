// Loops over dense memory. Element is float or Bfloat16. With `add`, a result is added to `to`, else it overwrites it.
#pragma once

#include <cstdint>

#include "sluice/sdk/host.hpp"

namespace sluice::onednn {

void add_to(float* to, const float* from, std::int64_t count);
void store_gradient(float* to, const float* from, std::int64_t count, bool add);
template <class Element>
void scale(Element* to, const Element* from, float factor, std::int64_t count, bool add);
// The gradient of tanh, from its result.
void tanh_gradient(float* to, const float* result, const float* gradient, std::int64_t count, bool add);

// One row of the gradient of upsampling: sums squares of `factor` by `factor` pixels. from: `factor` rows of
// [width * factor, C]; to: [width, C].
struct PixelRow {
    std::int64_t width;
    std::int64_t channels;
    std::int64_t factor;
};
template <class Element>
void sum_squares(Element* to, const Element* from, const PixelRow& row, bool add);

// Calls body(begin, count) for pieces of [0, n) on the replica's threads. A piece is worth the cost of starting a
// thread.
template <class Body>
void for_elements(const sluice_threads* threads, std::int64_t n, const Body& body) {
    constexpr std::int64_t kGrain = 8192;
    sdk::parallel_for(threads, n, kGrain,
                      [&](std::int64_t begin, std::int64_t end, std::uint32_t) { body(begin, end - begin); });
}

// to += from, on the replica's threads.
inline void add_all(const sluice_threads* threads, float* to, const float* from, std::int64_t n) {
    for_elements(threads, n, [&](std::int64_t begin, std::int64_t count) { add_to(to + begin, from + begin, count); });
}

}  // namespace sluice::onednn
