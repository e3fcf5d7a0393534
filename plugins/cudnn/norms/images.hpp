// How a pass finds the elements of an image. The pass counts them as if they were in a dense tensor.
#pragma once

#include "images/mirror.hpp"

namespace sluice::cudnn {

// The image is that dense tensor.
struct Dense {};

// The image has mirrored margins. An element is written to its place and to all places that mirror it. It is read as
// their sum, rounded as if the sum had been stored. Channels are a multiple of 8, and 32 bits count all elements.
struct Mirrored {
    explicit Mirrored(const Margins& margins) : mirror(margins), channels(margins.channels) {}
    Mirror mirror;
    Divider channels;
};

}  // namespace sluice::cudnn
