#include "math/channel_factors.hpp"

#include <algorithm>
#include <functional>
#include <limits>

#include "math/element.hpp"
#include "sluice/sdk/clones.hpp"

namespace sluice::onednn {
namespace {

template <class Element>
SLUICE_CLONES void block_factor_sums(const Element* from, const Element* gradient, const RowShape& shape, Summed which,
                                     float* sums) {
    const std::int64_t width = shape.width;
    const float limit = which == Summed::all ? std::numeric_limits<float>::infinity() : 0.0F;
    for (std::int64_t r = 0; r < shape.count; ++r, from += width, gradient += width) {
        for (std::int64_t c = 0; c < width; ++c) {
            const float x = from[c];
            sums[c] += x > limit ? 0.0F : x * gradient[c];
        }
    }
}

}  // namespace

template <class Element>
SLUICE_CLONES void scale_channels(Element* to, const Element* from, const float* factors, const RowShape& shape,
                                  bool add) {
    const std::int64_t width = shape.width;
    for (std::int64_t r = 0; r < shape.count; ++r, to += width, from += width) {
        for (std::int64_t c = 0; c < width; ++c) {
            const float mine = factors[c] * from[c];
            to[c] = add ? to[c] + mine : mine;
        }
    }
}

template <class Element>
SLUICE_CLONES void prelu(Element* to, const Element* from, const float* factors, const RowShape& shape) {
    const std::int64_t width = shape.width;
    for (std::int64_t r = 0; r < shape.count; ++r, to += width, from += width) {
        for (std::int64_t c = 0; c < width; ++c) {
            const float x = from[c];
            to[c] = x < 0.0F ? factors[c] * x : x;
        }
    }
}

template <class Element>
SLUICE_CLONES void prelu_gradient(Element* to, const Element* from, const Element* gradient, const float* factors,
                                  const RowShape& shape, bool add) {
    const std::int64_t width = shape.width;
    for (std::int64_t r = 0; r < shape.count; ++r, to += width, from += width, gradient += width) {
        for (std::int64_t c = 0; c < width; ++c) {
            const float dy = gradient[c];
            const float mine = from[c] > 0.0F ? dy : factors[c] * dy;
            to[c] = add ? to[c] + mine : mine;
        }
    }
}

template <class Element>
void add_factor_sums(double* sums, const Element* from, const Element* gradient, const RowShape& shape, Summed which,
                     float* scratch) {
    // Rows are summed in float before they are added in double: few enough that no digit is lost.
    const std::int64_t block = std::clamp<std::int64_t>(4096 / shape.width, 4, 128);
    for (std::int64_t done = 0; done < shape.count; done += block) {
        std::fill_n(scratch, shape.width, 0.0F);
        const RowShape rows{std::min(block, shape.count - done), shape.width};
        block_factor_sums(from + done * shape.width, gradient + done * shape.width, rows, which, scratch);
        std::transform(sums, sums + shape.width, scratch, sums, std::plus<>());
    }
}

template void scale_channels(float*, const float*, const float*, const RowShape&, bool);
template void prelu(float*, const float*, const float*, const RowShape&);
template void prelu_gradient(float*, const float*, const float*, const float*, const RowShape&, bool);
template void add_factor_sums(double*, const float*, const float*, const RowShape&, Summed, float*);
template void scale_channels(Bfloat16*, const Bfloat16*, const float*, const RowShape&, bool);
template void prelu(Bfloat16*, const Bfloat16*, const float*, const RowShape&);
template void prelu_gradient(Bfloat16*, const Bfloat16*, const Bfloat16*, const float*, const RowShape&, bool);
template void add_factor_sums(double*, const Bfloat16*, const Bfloat16*, const RowShape&, Summed, float*);

}  // namespace sluice::onednn
