// Highway's vectors of float32, whole or in part, from and to memory of float32 or bfloat16. Included once for each
// instruction set, after foreach_target.h.
#if defined(SLUICE_ONEDNN_VECTORS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SLUICE_ONEDNN_VECTORS_INL
#undef SLUICE_ONEDNN_VECTORS_INL
#else
#define SLUICE_ONEDNN_VECTORS_INL
#endif

#include <hwy/highway.h>

#include <cstdint>
#include <cstring>

#include "math/element.hpp"

HWY_BEFORE_NAMESPACE();
namespace sluice::onednn::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using FloatTag = hn::ScalableTag<float>;
using Floats = hn::Vec<FloatTag>;

inline std::int64_t lanes() { return static_cast<std::int64_t>(hn::Lanes(FloatTag())); }

// load_part() loads the first `count` elements of a vector and zeros after them. store_part() stores the first `count`.
// Neither touches memory after them.
HWY_INLINE Floats load_part(const float* from, std::int64_t count) {
    if (count >= lanes()) {
        return hn::LoadU(FloatTag(), from);
    }
    HWY_ALIGN float whole[HWY_MAX_BYTES / sizeof(float)] = {};
    std::memcpy(whole, from, static_cast<std::size_t>(count) * sizeof(float));
    return hn::Load(FloatTag(), whole);
}

HWY_INLINE void store_part(Floats value, float* to, std::int64_t count) {
    if (count >= lanes()) {
        hn::StoreU(value, FloatTag(), to);
        return;
    }
    HWY_ALIGN float whole[HWY_MAX_BYTES / sizeof(float)];
    hn::Store(value, FloatTag(), whole);
    std::memcpy(to, whole, static_cast<std::size_t>(count) * sizeof(float));
}

// bfloat16 in memory is the upper half of a float32 in the register. rounded() rounds to the nearest, ties to even; NaN
// stays NaN.
using HalfTag = hn::Rebind<std::uint16_t, FloatTag>;
using Halves = hn::Vec<HalfTag>;

HWY_INLINE Floats widened(Halves value) {
    return hn::BitCast(FloatTag(), hn::ShiftLeft<16>(hn::PromoteTo(hn::RebindToUnsigned<FloatTag>(), value)));
}

HWY_INLINE Halves rounded(Floats value) {
    const hn::RebindToUnsigned<FloatTag> d;
    const auto bits = hn::BitCast(d, value);
    const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(d, 1));
    const auto nearest = hn::Add(hn::Add(bits, odd), hn::Set(d, 0x7FFF));
    const auto quiet = hn::Or(bits, hn::Set(d, 0x400000));
    const auto chosen = hn::IfThenElse(hn::RebindMask(d, hn::Ne(value, value)), quiet, nearest);
    return hn::DemoteTo(HalfTag(), hn::BitCast(hn::RebindToSigned<FloatTag>(), hn::ShiftRight<16>(chosen)));
}

HWY_INLINE Floats load_part(const Bfloat16* from, std::int64_t count) {
    const auto* bits = reinterpret_cast<const std::uint16_t*>(from);
    if (count >= lanes()) {
        return widened(hn::LoadU(HalfTag(), bits));
    }
    HWY_ALIGN std::uint16_t whole[HWY_MAX_BYTES / sizeof(float)] = {};
    std::memcpy(whole, bits, static_cast<std::size_t>(count) * sizeof(std::uint16_t));
    return widened(hn::Load(HalfTag(), whole));
}

HWY_INLINE void store_part(Floats value, Bfloat16* to, std::int64_t count) {
    auto* bits = reinterpret_cast<std::uint16_t*>(to);
    if (count >= lanes()) {
        hn::StoreU(rounded(value), HalfTag(), bits);
        return;
    }
    HWY_ALIGN std::uint16_t whole[HWY_MAX_BYTES / sizeof(float)];
    hn::Store(rounded(value), HalfTag(), whole);
    std::memcpy(bits, whole, static_cast<std::size_t>(count) * sizeof(std::uint16_t));
}

// A loop that only sums rows waits for memory, because the processor's own prefetching does not reach far enough.
// Prefetching this many rows ahead took 10 to 30 % less time if no cache held them.
constexpr std::int64_t kRowsAhead = 16;
HWY_INLINE void fetch(const void* from) { __builtin_prefetch(from, 0, 2); }

// Returns the bytes of the mask bits of one vector.
inline std::int64_t mask_stride() { return (lanes() + 7) / 8; }

}  // namespace sluice::onednn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
