// A picture of any size through the network, in overlapping tiles that are blended without a visible seam.
#pragma once

#include <cstdint>

#include "run/network/fitting_size.hpp"
#include "run/replica/replica.hpp"

namespace sluice::run {

struct TileOptions {
    std::int64_t tile = 256;    // pixels; height and width of what the network sees
    std::int64_t overlap = 64;  // pixels shared by neighbours
};

// The model's input as a training on pictures of that type has it: float32 reaches the network as it is.
registry::Field input_field(const std::string& name, sluice_dtype type, PictureSize size, std::int64_t channels);

// image: [H, W, C] of uint8, or of float32 from 0 to 1; returns the network's picture, uint8 [H, W, 1 or 3]. `field` is
// the model's input. The edges of the picture are those of tiles, which the network pads as always. A tile is no larger
// than the picture, or than the size that the network needs for it: what is beyond the picture is mirrored at its right
// and lower edge.
HostTensor predict_tiled(Replica& replica, const std::string& field, const HostTensor& image,
                         const TileOptions& options);

// The size of the tiles of such a picture. whole: the model's input of its size.
PictureSize tile_size(FittingSizes& sizes, const registry::Field& whole, const TileOptions& options);

}  // namespace sluice::run
