#include "math/channel_sums.hpp"

#include <algorithm>
#include <functional>

#include "math/element.hpp"
#include "sluice/sdk/clones.hpp"

namespace sluice::onednn {
namespace {

template <class Element>
SLUICE_CLONES void block_sums(const Element* rows, std::int64_t count, std::int64_t channels, float* sums) {
    for (std::int64_t r = 0; r < count; ++r) {
        for (std::int64_t c = 0; c < channels; ++c) {
            sums[c] += static_cast<float>(rows[r * channels + c]);
        }
    }
}

}  // namespace

template <class Element>
void add_sums(double* sums, const Element* rows, std::int64_t count, std::int64_t channels, float* scratch) {
    // Rows are summed in float before they are added in double: few enough that no digit is lost.
    const std::int64_t block = std::clamp<std::int64_t>(4096 / channels, 4, 128);
    for (std::int64_t done = 0; done < count; done += block) {
        std::fill_n(scratch, channels, 0.0F);
        block_sums(rows + done * channels, std::min(block, count - done), channels, scratch);
        std::transform(sums, sums + channels, scratch, sums, std::plus<>());
    }
}

template void add_sums(double*, const float*, std::int64_t, std::int64_t, float*);
template void add_sums(double*, const Bfloat16*, std::int64_t, std::int64_t, float*);

}  // namespace sluice::onednn
