#include "math/pixel_loops.hpp"

#include "math/element.hpp"
#include "sluice/sdk/clones.hpp"

namespace sluice::onednn {
namespace {

// Calls body(elements of all, elements of the small pixel) for each pixel of the enlarged rows: where its channels
// begin. The channels of the small pixel lie factor * factor elements apart.
template <class Body>
[[gnu::always_inline]] inline void for_pixels(const ShuffledRow& row, const Body& body) {
    const std::int64_t square = row.factor * row.factor;
    const std::int64_t large = row.width * row.factor * row.channels;  // elements of an enlarged row
    for (std::int64_t x = 0; x < row.width; ++x) {
        for (std::int64_t place = 0; place < square; ++place) {
            const std::int64_t column = x * row.factor + place % row.factor;
            body(place / row.factor * large + column * row.channels, x * square * row.channels + place, square);
        }
    }
}

}  // namespace

template <class Element>
SLUICE_CLONES void shuffle_row(Element* to, const Element* from, const ShuffledRow& row) {
    for_pixels(row, [&](std::int64_t large, std::int64_t small, std::int64_t square) {
        for (std::int64_t c = 0; c < row.channels; ++c) {
            to[large + c] = from[small + c * square];
        }
    });
}

template <class Element>
SLUICE_CLONES void unshuffle_row(Element* to, const Element* from, const ShuffledRow& row, bool add) {
    for_pixels(row, [&](std::int64_t large, std::int64_t small, std::int64_t square) {
        for (std::int64_t c = 0; c < row.channels; ++c) {
            Element& mine = to[small + c * square];
            mine = add ? static_cast<float>(mine) + static_cast<float>(from[large + c])
                       : static_cast<float>(from[large + c]);
        }
    });
}

template void shuffle_row(float*, const float*, const ShuffledRow&);
template void unshuffle_row(float*, const float*, const ShuffledRow&, bool);
template void shuffle_row(Bfloat16*, const Bfloat16*, const ShuffledRow&);
template void unshuffle_row(Bfloat16*, const Bfloat16*, const ShuffledRow&, bool);

}  // namespace sluice::onednn
