#include "math/conversions.hpp"

#include "math/clones.hpp"

namespace sluice::onednn {

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
template void convert(Bfloat16*, const float*, std::int64_t, bool);
template void convert(Bfloat16*, const Bfloat16*, std::int64_t, bool);
template void convert(Bfloat16*, const Float16*, std::int64_t, bool);
template void convert(Float16*, const float*, std::int64_t, bool);
template void convert(Float16*, const Bfloat16*, std::int64_t, bool);
template void convert(Float16*, const Float16*, std::int64_t, bool);

}  // namespace sluice::onednn
