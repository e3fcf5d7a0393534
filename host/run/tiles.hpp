// A picture of any size through the network, in overlapping tiles that are blended without a visible seam.
#pragma once

#include <cstdint>

#include "run/fitting_size.hpp"
#include "run/replica.hpp"

namespace sluice::run {

struct TileOptions {
    std::int64_t tile = 256;    // pixels; height and width of what the network sees
    std::int64_t overlap = 64;  // pixels shared by neighbours
};

// image: uint8 [H, W, C]; returns the network's picture, uint8 [H, W, 1 or 3]. `field` is the model's input. The edges
// of the picture are those of tiles, which the network pads as always. A tile is no larger than the picture, or than
// the size that the network needs for it: what is beyond the picture is mirrored at its right and lower edge.
HostTensor predict_tiled(Replica& replica, const std::string& field, const HostTensor& image,
                         const TileOptions& options);

// The size of the tiles of such a picture.
PictureSize tile_size(FittingSizes& sizes, const std::string& field, PictureSize picture, std::int64_t channels,
                      const TileOptions& options);

}  // namespace sluice::run
