// Computes padding from the options `padding` and `pad` of convolutions and poolings of [N, H, W, C]. Axis 0 is the
// height, axis 1 the width.
//
//     const sdk::Options options = node.options();
//     const std::int64_t in = node.inputs()[0].shape[1], out = node.outputs()[0].shape[1];
//     const sdk::AxisPadding rows = sdk::window_padding(options, 0, in, out);
//     // Tap k of output row o reads input row o * stride + k * dilation - rows.before, which is 0 outside the input.
//     // A transposed convolution cuts sdk::transposed_padding(options, 0) off its output instead.
//
// All numbers count elements. A missing option, an option of another type, and a `pad` that spread_pad() refuses throw
// SLUICE_INVALID. The layer type checks the options before a kernel reads them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sluice/sdk/options.hpp"

namespace sluice::sdk {

struct AxisPadding {
    std::int64_t before = 0;  // at the top or on the left
    std::int64_t after = 0;   // at the bottom or on the right
    bool operator==(const AxisPadding&) const = default;
};

// Returns the elements from the first tap of a window to the last.
constexpr std::int64_t window_extent(std::int64_t kernel, std::int64_t dilation) { return (kernel - 1) * dilation + 1; }

// TensorFlow's rule puts the odd element at the end. A total below 0 counts as 0.
constexpr AxisPadding halve_padding(std::int64_t total) {
    return total < 0 ? AxisPadding{} : AxisPadding{total / 2, total - total / 2};
}

// Padding "same" of a window: as many zeros as the last of `out` windows reaches further than `in` elements.
constexpr AxisPadding same_padding(std::int64_t in, std::int64_t out, std::int64_t extent, std::int64_t stride) {
    return halve_padding((out - 1) * stride + extent - in);
}

// Padding "same" of a transposed convolution, whose output then has `stride` times the extent of its input.
constexpr AxisPadding same_transposed_padding(std::int64_t kernel, std::int64_t stride) {
    return halve_padding(kernel - stride);
}

// Padding "reflect": the elements that are mirrored on each side.
constexpr std::int64_t reflected_border(std::int64_t extent) { return (extent - 1) / 2; }

// Numbers for the top, bottom, left and right.
using PadSides = std::array<std::int64_t, 4>;

// Returns the sides of a `pad` of 1 number (all sides), 2 (height, width) or 4. Other counts give nullopt.
inline std::optional<PadSides> spread_pad(const std::vector<std::int64_t>& pad) {
    switch (pad.size()) {
        case 1:
            return PadSides{pad[0], pad[0], pad[0], pad[0]};
        case 2:
            return PadSides{pad[0], pad[0], pad[1], pad[1]};
        case 4:
            return PadSides{pad[0], pad[1], pad[2], pad[3]};
        default:
            return std::nullopt;
    }
}

constexpr AxisPadding axis_of(const PadSides& sides, std::size_t axis) {
    return {sides[2 * axis], sides[2 * axis + 1]};
}

// `dilation` is 1 by default.
inline std::int64_t window_extent(const Options& options) {
    return window_extent(options.integer("kernel"), options.maybe_integer("dilation").value_or(1));
}

// Padding "explicit".
inline AxisPadding explicit_padding(const Options& options, std::size_t axis) {
    const std::optional<PadSides> sides = spread_pad(options.integers("pad"));
    if (!sides) {
        throw Failure(SLUICE_INVALID, "option 'pad': it takes 1, 2 or 4 numbers");
    }
    return axis_of(*sides, axis);
}

// Returns the zeros around an axis of `in` elements, of which windows make `out`. "valid" and "reflect" add none.
// `stride` is as large as `kernel` by default.
inline AxisPadding window_padding(const Options& options, std::size_t axis, std::int64_t in, std::int64_t out) {
    const std::string padding = options.string("padding");
    if (padding == "same") {
        const std::optional<std::int64_t> stride = options.maybe_integer("stride");
        return same_padding(in, out, window_extent(options), stride ? *stride : options.integer("kernel"));
    }
    return padding == "explicit" ? explicit_padding(options, axis) : AxisPadding{};
}

// Returns how much a transposed convolution cuts off an axis of its output.
inline AxisPadding transposed_padding(const Options& options, std::size_t axis) {
    const std::string padding = options.string("padding");
    if (padding == "same") {
        return same_transposed_padding(options.integer("kernel"), options.integer("stride"));
    }
    return padding == "explicit" ? explicit_padding(options, axis) : AxisPadding{};
}

// Returns the elements that a convolution with padding "reflect" mirrors on each side; 0 with any other padding.
inline std::int64_t reflected_border(const Options& options) {
    return options.string("padding") == "reflect" ? reflected_border(window_extent(options)) : 0;
}

}  // namespace sluice::sdk
