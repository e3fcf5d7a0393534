// One spatial axis of an upsampling: the positions of the output between those of the input.
#pragma once

#include "cuda/divide.cuh"
#include "cuda/image_places.cuh"

namespace sluice::cudnn {

// An output position gets (1 - part) * x[low] + part * x[high].
struct Mix {
    std::uint32_t low;
    std::uint32_t high;
    float part;
};

struct UpsampleAxis {
    UpsampleAxis(std::int64_t extent, std::int64_t times) : in(extent), out(extent * times), factor(times) {}

    // Output o is at (o + 1/2) / factor - 1/2 of the input. Beyond the outermost centres the value at the edge
    // continues.
    [[nodiscard]] constexpr Mix mix(std::uint32_t o) const {
        std::uint32_t low = o;
        const std::uint32_t phase = 2 * factor.split(low) + 1;  // in halves of an output's step
        const std::uint32_t pixel = 2 * factor.divisor();
        if (phase < factor.divisor()) {
            return low == 0
                       ? Mix{0, 0, 0.0F}
                       : Mix{low - 1, low, static_cast<float>(phase + factor.divisor()) / static_cast<float>(pixel)};
        }
        return low + 1 == in.divisor()
                   ? Mix{low, low, 0.0F}
                   : Mix{low, low + 1, static_cast<float>(phase - factor.divisor()) / static_cast<float>(pixel)};
    }

    // Returns the weight of input i in output o.
    [[nodiscard]] constexpr float share(std::uint32_t o, std::uint32_t i) const {
        const Mix taken = mix(o);
        return (taken.low == i ? 1.0F - taken.part : 0.0F) + (taken.high == i ? taken.part : 0.0F);
    }

    // Returns the outputs that may depend on input i: those less than a pixel away from it.
    [[nodiscard]] constexpr IndexRange readers(std::uint32_t i) const {
        const auto f = static_cast<std::int32_t>(factor.divisor());
        const std::int32_t centre = static_cast<std::int32_t>(i) * f;
        const std::int32_t begin = centre - (f + 1) / 2;
        const std::int32_t end = centre + f + (f + 1) / 2;
        return {static_cast<std::uint32_t>(begin < 0 ? 0 : begin),
                end < static_cast<std::int32_t>(out.divisor()) ? static_cast<std::uint32_t>(end) : out.divisor()};
    }

    Divider in;
    Divider out;
    Divider factor;
};

}  // namespace sluice::cudnn
