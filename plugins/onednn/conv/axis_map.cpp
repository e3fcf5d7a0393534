#include "conv/axis_map.hpp"

#include <algorithm>

namespace sluice::onednn {

AxisMap shifted_axis(std::int64_t length, std::int64_t before, std::int64_t extent) {
    AxisMap map(static_cast<std::size_t>(length), kOutside);
    for (std::int64_t position = std::max<std::int64_t>(before, 0); position < std::min(length, before + extent);
         ++position) {
        map[static_cast<std::size_t>(position)] = static_cast<std::int32_t>(position - before);
    }
    return map;
}

AxisMap every_second_axis(std::int64_t length, std::int64_t before, std::int64_t extent, int phase) {
    AxisMap map = shifted_axis(length, before, (extent - phase + 1) / 2);
    for (std::int32_t& element : map) {
        element = element == kOutside ? kOutside : 2 * element + phase;
    }
    return map;
}

AxisMap mirrored_axis(std::int64_t length, std::int64_t border, std::int64_t extent) {
    AxisMap map = shifted_axis(length, border, extent);
    for (std::int64_t i = 1; i <= border; ++i) {
        map[static_cast<std::size_t>(border - i)] = static_cast<std::int32_t>(i);
        const std::int64_t after = border + extent - 1 + i;
        if (after < length) {
            map[static_cast<std::size_t>(after)] = static_cast<std::int32_t>(extent - 1 - i);
        }
    }
    return map;
}

AxisMap input_axis(const ConvGeometry& geometry, const ConvAxis& axis, std::int64_t length) {
    return geometry.mirrors() ? mirrored_axis(length, geometry.border, axis.in)
                              : shifted_axis(length, axis.before, axis.in);
}

}  // namespace sluice::onednn
