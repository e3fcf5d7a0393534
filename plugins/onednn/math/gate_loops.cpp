#include "math/gate_loops.hpp"

#include "math/element.hpp"
#include "sluice/sdk/clones.hpp"

namespace sluice::onednn {

template <class Element>
SLUICE_CLONES void gate_rows(Element* to, const Element* from, const RowShape& shape) {
    const std::int64_t width = shape.width;
    for (std::int64_t r = 0; r < shape.count; ++r, to += width, from += 2 * width) {
        for (std::int64_t c = 0; c < width; ++c) {
            to[c] = from[c] * from[c + width];
        }
    }
}

template <class Element>
SLUICE_CLONES void gate_gradient(Element* to, const Element* from, const Element* gradient, const RowShape& shape,
                                 bool add) {
    const std::int64_t width = shape.width;
    for (std::int64_t r = 0; r < shape.count; ++r, to += 2 * width, from += 2 * width, gradient += width) {
        for (std::int64_t c = 0; c < width; ++c) {
            const float dy = gradient[c];
            const float first = dy * from[c + width];
            const float second = dy * from[c];
            to[c] = add ? to[c] + first : first;
            to[c + width] = add ? to[c + width] + second : second;
        }
    }
}

template void gate_rows(float*, const float*, const RowShape&);
template void gate_gradient(float*, const float*, const float*, const RowShape&, bool);
template void gate_rows(Bfloat16*, const Bfloat16*, const RowShape&);
template void gate_gradient(Bfloat16*, const Bfloat16*, const Bfloat16*, const RowShape&, bool);

}  // namespace sluice::onednn
