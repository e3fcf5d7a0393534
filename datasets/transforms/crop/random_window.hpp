// A window of random area and aspect ratio, as torchvision draws it for RandomResizedCrop and RandomErasing.
#pragma once

#include <optional>

#include "sample/picture.hpp"
#include "sample/range.hpp"

namespace sluice::transforms {

// `area` is a share of the picture's area, and `ratio` is width / height. The area and the logarithm of the ratio are
// uniform in their ranges. A window that does not fit is drawn again; std::nullopt after ten attempts.
std::optional<Window> random_window(Extent picture, const Range& area, const Range& ratio, sdk::Draws& draws);

// The largest centred window with an aspect ratio in the range.
Window center_window(Extent picture, const Range& ratio);

}  // namespace sluice::transforms
