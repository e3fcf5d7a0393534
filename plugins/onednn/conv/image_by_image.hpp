// A pass that takes the images of a batch one after the other, so that its workspace is that of one image: it holds a
// copy of what the convolution reads where edges are mirrored, and in backward that is when most memory is in use.
#pragma once

#include <functional>
#include <memory>

#include "conv/geometry.hpp"
#include "conv/pass.hpp"

namespace sluice::onednn {

// The pass that `make` gives for the whole batch, or where copies of its images are large, for one of them.
std::unique_ptr<ConvPass> image_by_image(const ConvGeometry& geometry,
                                         const std::function<std::unique_ptr<ConvPass>(const ConvGeometry&)>& make);

}  // namespace sluice::onednn
