#include "math/conversions.hpp"

#include <algorithm>

#include "sluice/sdk/clones.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "math/conversions.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "math/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sluice::onednn::HWY_NAMESPACE {
namespace {

// Uses Highway, because the code of compilers for this rounding takes four times as long.
void to_bfloat16(Bfloat16* to, const float* from, std::int64_t count, bool add) {
    const std::int64_t n = lanes();
    for (std::int64_t i = 0; i < count; i += n) {
        const std::int64_t most = std::min(n, count - i);
        const Floats value = load_part(from + i, most);
        store_part(add ? hn::Add(load_part(to + i, most), value) : value, to + i, most);
    }
}

}  // namespace
}  // namespace sluice::onednn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sluice::onednn {

HWY_EXPORT(to_bfloat16);

void convert(Bfloat16* to, const float* from, std::int64_t count, bool add) {
    HWY_DYNAMIC_DISPATCH(to_bfloat16)(to, from, count, add);
}

template <class From, class To>
SLUICE_CLONES void convert(To* to, const From* from, std::int64_t count, bool add) {
    if (add) {
        for (std::int64_t i = 0; i < count; ++i) {
            to[i] = static_cast<float>(to[i]) + static_cast<float>(from[i]);
        }
    } else {
        for (std::int64_t i = 0; i < count; ++i) {
            to[i] = static_cast<float>(from[i]);
        }
    }
}

template void convert(float*, const float*, std::int64_t, bool);
template void convert(float*, const Bfloat16*, std::int64_t, bool);
template void convert(float*, const Float16*, std::int64_t, bool);
template void convert(Bfloat16*, const Bfloat16*, std::int64_t, bool);
template void convert(Bfloat16*, const Float16*, std::int64_t, bool);
template void convert(Float16*, const float*, std::int64_t, bool);
template void convert(Float16*, const Bfloat16*, std::int64_t, bool);
template void convert(Float16*, const Float16*, std::int64_t, bool);

}  // namespace sluice::onednn
#endif
