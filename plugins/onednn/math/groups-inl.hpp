// How passes go through rows: four vectors at a time, then one at a time; the last may be partial. Included once for
// each instruction set, after foreach_target.h.
#if defined(SLUICE_ONEDNN_GROUPS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SLUICE_ONEDNN_GROUPS_INL
#undef SLUICE_ONEDNN_GROUPS_INL
#else
#define SLUICE_ONEDNN_GROUPS_INL
#endif

#include <algorithm>

#include "math/vectors-inl.hpp"
#include "math/wide_rows.hpp"

HWY_BEFORE_NAMESPACE();
namespace sluice::onednn::HWY_NAMESPACE {

constexpr int kWide = 4;  // vectors side by side

// Returns the bytes of the mask bits of one row.
inline std::int64_t bytes_of_row(std::int64_t width) { return (width + lanes() - 1) / lanes() * mask_stride(); }

// Some vectors of one row.
struct Group {
    std::int64_t at;     // index of the first element in the tensor
    std::int64_t place;  // and in its row
    std::int64_t bits;   // index of the byte of its first mask
    std::int64_t most;   // valid elements of each vector
};

// Calls body.run<vectors>(group) for all elements. A range must begin at a multiple of the vector length within its
// row.
template <class Body>
HWY_INLINE void for_groups(const Body body, const Elements& range) {
    const std::int64_t n = lanes();
    std::int64_t place = range.begin % range.width;
    std::int64_t bits = range.begin / range.width * bytes_of_row(range.width) + place / n * mask_stride();
    for (std::int64_t at = range.begin; at < range.end; place = 0) {
        const std::int64_t end = std::min(range.end, at - place + range.width);
        for (; at + kWide * n <= end; at += kWide * n, place += kWide * n, bits += kWide * mask_stride()) {
            body.template run<kWide>({at, place, bits, n});
        }
        for (; at < end; at += n, place += n, bits += mask_stride()) {
            body.template run<1>({at, place, bits, std::min(n, end - at)});
        }
        at = end;
    }
}

// Load, add and store the elements of one group.
template <int kVectors, class Element>
HWY_INLINE void load(const Element* from, std::int64_t most, Floats* to) {
    for (int v = 0; v < kVectors; ++v) {
        to[v] = load_part(from + v * lanes(), most);
    }
}
template <int kVectors, class Element>
HWY_INLINE void add(const Element* from, std::int64_t most, Floats* to) {
    for (int v = 0; v < kVectors; ++v) {
        to[v] = hn::Add(to[v], load_part(from + v * lanes(), most));
    }
}
template <int kVectors, class Element>
HWY_INLINE void store(const Floats* from, std::int64_t most, Element* to) {
    for (int v = 0; v < kVectors; ++v) {
        store_part(from[v], to + v * lanes(), most);
    }
}

}  // namespace sluice::onednn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
