// Where a pass finds the elements of an image: the pass counts them as they lie in a dense tensor.
#pragma once

#include "images/mirror.hpp"

namespace sluice::cudnn {

// It is that tensor.
struct Dense {};

// It has mirrored margins around it: an element is written to its place and to all that mirror it, and read as the sum
// of them, rounded as if that had been stored. Channels are a multiple of 8, and
// the elements not more than 32 bits count.
struct Mirrored {
    explicit Mirrored(const Margins& margins) : mirror(margins), channels(margins.channels) {}
    Mirror mirror;
    Divider channels;
};

}  // namespace sluice::cudnn
