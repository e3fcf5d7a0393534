// Where the windows of convolutions and poolings read: shared by layer types and reference kernels.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sluice/sdk/options.hpp"

namespace sluice::reference {

enum class Padding { same, valid, reflect, given };

// The options kernel, stride, dilation, padding and pad; an option tree does not outlive create().
struct Window {
    // A layer type may lack dilation (then 1) and have no default for stride (then as large as kernel).
    Window(std::string layer, const sdk::Options& options);

    std::string layer;  // its type, for messages
    std::int64_t kernel;
    std::int64_t stride;
    std::int64_t dilation;  // distance of two taps
    Padding padding;
    std::array<std::int64_t, 4> pad{};  // given: top, bottom, left, right
};

// One spatial axis of a window on an input.
struct WindowAxis {
    std::int64_t in = 0;
    std::int64_t out = 0;
    std::int64_t kernel = 0;
    std::int64_t stride = 0;
    std::int64_t dilation = 1;
    std::int64_t before = 0;  // padding in front of the first element
    std::int64_t after = 0;   // and behind the last; more where the last window reaches further
    bool reflect = false;     // padding mirrors the input without repeating its edge; otherwise it is zero

    // Elements from the first tap to the last.
    [[nodiscard]] std::int64_t extent() const { return (kernel - 1) * dilation + 1; }
    // The input position that tap `k` of output position `o` reads, at [o * kernel + k]; -1 is padding.
    [[nodiscard]] std::vector<std::int64_t> sources() const;
};

// Axes of an image. Throws SLUICE_INVALID where the window does not fit.
WindowAxis height_axis(const Window& window, std::int64_t in);
WindowAxis width_axis(const Window& window, std::int64_t in);

// Output position and tap that read one input position.
struct Reader {
    std::int64_t output;
    std::int64_t tap;
};
// By input position, outputs in ascending order.
std::vector<std::vector<Reader>> readers_of(const WindowAxis& axis);

}  // namespace sluice::reference
