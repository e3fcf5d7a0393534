// Moves channels to pixels and back, as pixel_shuffle does. Element is float or Bfloat16.
#pragma once

#include <cstdint>

namespace sluice::onednn {

// A row of pixels [width, channels * factor * factor], which becomes `factor` rows of [width * factor, channels].
struct ShuffledRow {
    std::int64_t width;
    std::int64_t channels;
    std::int64_t factor;
};
template <class Element>
void shuffle_row(Element* to, const Element* from, const ShuffledRow& row);
// The way back; with `add`, it is added to `to`.
template <class Element>
void unshuffle_row(Element* to, const Element* from, const ShuffledRow& row, bool add);

}  // namespace sluice::onednn
