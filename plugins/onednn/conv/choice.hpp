// Chooses among several ways to compute one direction of a convolution: the one that was the fastest when they were
// measured. The host remembers the result in its tuning cache.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "conv/geometry.hpp"
#include "conv/pass.hpp"
#include "conv/transpose_geometry.hpp"
#include "conv/trial.hpp"

namespace sluice::onednn {

struct ConvCandidate {
    std::string_view name;  // in the tuning cache
    std::function<std::unique_ptr<ConvPass>()> make;
};

struct ConvChoice {
    std::string computation;  // part of the key in the tuning cache: layer, direction, types, extents
    TrialTensors tensors;
    const sdk::KernelSink& sink;
};
// For a conv2d or conv2d_transpose; the direction is as in kernels/conv2d_ways.hpp.
ConvChoice choice_of(std::string_view direction, const ConvGeometry& geometry, const sdk::KernelSink& sink);
ConvChoice choice_of(std::string_view direction, const TransposeGeometry& geometry, const sdk::KernelSink& sink);

// Uses the first candidate if the tuning cache has no entry and measuring is not allowed.
std::unique_ptr<ConvPass> choose_pass(const ConvChoice& choice, const std::vector<ConvCandidate>& candidates);

}  // namespace sluice::onednn
