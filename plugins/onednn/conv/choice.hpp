// Which of several ways computes one direction of a convolution: the one that was the fastest when they were measured,
// which the host remembers.
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
    std::string_view name;  // in what the host remembers
    std::function<std::unique_ptr<ConvPass>()> make;
};

struct ConvChoice {
    std::string computation;  // in what the host remembers: layer, direction, types, extents
    TrialTensors tensors;
    const sdk::KernelSink& sink;
};
// Of a conv2d or conv2d_transpose, its direction being "fwd", "bwd_d" or "bwd_w".
ConvChoice choice_of(std::string_view direction, const ConvGeometry& geometry, const sdk::KernelSink& sink);
ConvChoice choice_of(std::string_view direction, const TransposeGeometry& geometry, const sdk::KernelSink& sink);

// candidates: the first is taken where nothing is remembered and nothing may be measured.
std::unique_ptr<ConvPass> choose_pass(const ConvChoice& choice, const std::vector<ConvCandidate>& candidates);

}  // namespace sluice::onednn
