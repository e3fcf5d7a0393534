// Prediction of pictures of any size, in overlapping tiles that are blended without a visible seam.
#pragma once

#include <cstdint>

#include "run/network/fitting_size.hpp"
#include "run/replica/replica.hpp"

namespace sluice::run {

struct TileOptions {
    std::int64_t tile = 256;    // height and width of a tile, in pixels
    std::int64_t overlap = 64;  // pixels shared by neighbouring tiles
};

// Returns the model's input field as a training on pictures of this type has it. float32 reaches the network unchanged.
registry::Field input_field(const std::string& name, sluice_dtype type, PictureSize size, std::int64_t channels);

// `image` is [H, W, C] of uint8, or of float32 from 0 to 1. Returns the network's picture, uint8 [H, W, 1 or 3].
// `field` is the model's input. At the picture's edges the network pads as in training. A tile is not larger than the
// picture, unless the network needs a larger size; then the picture is mirrored at its right and lower edge.
HostTensor predict_tiled(Replica& replica, const std::string& field, const HostTensor& image,
                         const TileOptions& options);

// Returns the size of the tiles of a picture. `whole`: the model's input in the size of the picture.
PictureSize tile_size(FittingSizes& sizes, const registry::Field& whole, const TileOptions& options);

}  // namespace sluice::run
