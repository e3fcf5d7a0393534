// A pass that computes the images of a batch one after the other, so that its workspace holds one image only. With
// mirrored edges the workspace holds a copy of the source, and memory use peaks in backward.
#pragma once

#include <functional>
#include <memory>

#include "conv/geometry.hpp"
#include "conv/pass.hpp"

namespace sluice::onednn {

// Returns the pass that `make` gives for the whole batch. If the source is a large copy, runs the pass of one image for
// each image in turn.
std::unique_ptr<ConvPass> image_by_image(const ConvGeometry& geometry,
                                         const std::function<std::unique_ptr<ConvPass>(const ConvGeometry&)>& make);

}  // namespace sluice::onednn
