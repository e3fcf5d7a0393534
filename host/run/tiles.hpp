// A picture of any size through the network, in overlapping tiles that are blended without a visible seam.
#pragma once

#include <cstdint>

#include "run/replica.hpp"

namespace sluice::run {

struct TileOptions {
    std::int64_t tile = 256;    // pixels; height and width of what the network sees
    std::int64_t overlap = 64;  // pixels shared by neighbours
};

// image: uint8 [H, W, C]; returns the network's picture, uint8 [H, W, C]. A picture smaller than a tile is mirrored at
// its right and lower border. `field` is the model's input.
HostTensor predict_tiled(Replica& replica, const std::string& field, const HostTensor& image,
                         const TileOptions& options);

}  // namespace sluice::run
