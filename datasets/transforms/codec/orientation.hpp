// The eight ways in which a camera can be held, numbered as in EXIF and TIFF (tag 274), and how to undo them.
#pragma once

#include <cstdint>

#include "picture.hpp"

namespace sluice::transforms {

// What has to be done to the stored picture.
enum class Orientation : std::uint8_t {
    upright = 1,
    mirror = 2,  // left and right exchanged
    half_turn = 3,
    mirror_half_turn = 4,   // top and bottom exchanged
    transpose = 5,          // rows and columns exchanged
    quarter_turn = 6,       // clockwise
    transverse = 7,         // rows and columns exchanged, then a half turn
    three_quarter_turn = 8  // clockwise
};

// Of a picture after it is turned.
Extent turned_extent(Extent stored, Orientation orientation);

// Where a window of the turned picture lies in the stored one, which is of that extent.
Window stored_window(const Window& turned, Extent stored, Orientation orientation);

// to: [turned_extent(stored.extent), channels]
void turn(const Picture& stored, Orientation orientation, std::uint8_t* to);

}  // namespace sluice::transforms
