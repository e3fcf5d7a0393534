// The eight orientations of EXIF and TIFF (tag 274), and how to apply them.
#pragma once

#include <cstdint>

#include "sample/picture.hpp"

namespace sluice::transforms {

// The operation that turns the stored picture upright.
enum class Orientation : std::uint8_t {
    upright = 1,
    mirror = 2,  // swap left and right
    half_turn = 3,
    mirror_half_turn = 4,   // swap top and bottom
    transpose = 5,          // swap rows and columns
    quarter_turn = 6,       // clockwise
    transverse = 7,         // swap rows and columns, then a half turn
    three_quarter_turn = 8  // clockwise
};

// The extent of the picture after it is turned.
Extent turned_extent(Extent stored, Orientation orientation);

// Maps a window of the turned picture to the stored picture, whose extent is `stored`.
Window stored_window(const Window& turned, Extent stored, Orientation orientation);

// to: [turned_extent(stored.extent), channels]
void turn(const Picture& stored, Orientation orientation, std::uint8_t* to);

}  // namespace sluice::transforms
