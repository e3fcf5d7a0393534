// A window of random area and proportions, as torchvision draws it for RandomResizedCrop and RandomErasing.
#pragma once

#include <optional>

#include "picture.hpp"
#include "range.hpp"

namespace sluice::transforms {

// The area, a share of the picture's, is uniform in its range, and so is the logarithm of the ratio, width / height.
// What protrudes is drawn again; nothing after ten attempts.
std::optional<Window> random_window(Extent picture, const Range& area, const Range& ratio, sdk::Draws& draws);

// The greatest window in the middle whose proportions are in the range.
Window center_window(Extent picture, const Range& ratio);

}  // namespace sluice::transforms
