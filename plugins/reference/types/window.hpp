// The input elements that windows of convolutions and poolings read. Layer types and reference kernels share this.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sluice/sdk/padding.hpp"

namespace sluice::reference {

enum class Padding { same, valid, reflect, given };

// A copy of the options kernel, stride, dilation, padding and pad, because an option tree does not outlive create().
struct Window {
    // A layer type may lack dilation, which is then 1, and a default for stride, which is then as large as kernel.
    Window(std::string layer, const sdk::Options& options);

    std::string layer;  // its type, for messages
    std::int64_t kernel;
    std::int64_t stride;
    std::int64_t dilation;  // distance of two taps
    Padding padding;
    sdk::PadSides pad{};  // of Padding::given
};

// One spatial axis of a window on an input.
struct WindowAxis {
    std::int64_t in = 0;
    std::int64_t out = 0;
    std::int64_t kernel = 0;
    std::int64_t stride = 0;
    std::int64_t dilation = 1;
    sdk::AxisPadding pad{};  // the last window may reach further than pad.after
    bool reflect = false;    // padding mirrors the input without repeating its edge; otherwise it is zero

    // Returns the number of elements from the first tap to the last.
    [[nodiscard]] std::int64_t extent() const { return sdk::window_extent(kernel, dilation); }
    // Returns the input position that tap `k` of output position `o` reads, at [o * kernel + k]; -1 is padding.
    [[nodiscard]] std::vector<std::int64_t> sources() const;
};

// Axes of an image. Throws SLUICE_INVALID if the window does not fit.
WindowAxis height_axis(const Window& window, std::int64_t in);
WindowAxis width_axis(const Window& window, std::int64_t in);

// An output position and the tap with which it reads one input position.
struct Reader {
    std::int64_t output;
    std::int64_t tap;
};
// Returns the readers of each input position, with outputs in ascending order.
std::vector<std::vector<Reader>> readers_of(const WindowAxis& axis);

}  // namespace sluice::reference
