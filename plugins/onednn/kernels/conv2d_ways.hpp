// The ways to compute one direction of a convolution, and the choice among them.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "conv/geometry.hpp"
#include "conv/pass.hpp"
#include "kernels/kernels.hpp"

namespace sluice::onednn {

using PassPtr = std::unique_ptr<ConvPass>;

// The types that oneDNN may compute activations of this type with, the likely fastest first, and what that is called
// in what the host remembers. Products of float32 may be the faster ones even where there are units for bfloat16.
struct DirectWay {
    std::string_view name;
    DataType type;
};
std::vector<DirectWay> direct_ways(DataType stored);

// Those are empty that do not compute it.
struct ConvWays {
    std::function<PassPtr(const ConvGeometry&)> direct;  // oneDNN's, which computes with the type that it is given
    std::function<PassPtr()> winograd;
    std::function<PassPtr()> narrow;
};

// The fastest of them for direction "fwd", "bwd_d" or "bwd_w".
PassPtr choose_way(const PlanContext& context, const ConvGeometry& geometry, const char* direction,
                   const ConvWays& ways);

// The direct way forward.
dnnl::convolution_forward::primitive_desc describe_forward(const PlanContext& context, const ConvGeometry& geometry);
PassPtr choose_forward(const PlanContext& context, const ConvGeometry& geometry);

// The chain of a nearest upsampling by 2 and a convolution of 3x3 taps; `direct` is here by phases.
PassPtr choose_upsampled_forward(const PlanContext& context, const ConvGeometry& geometry);

}  // namespace sluice::onednn
