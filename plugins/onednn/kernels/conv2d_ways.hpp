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

// The types in which oneDNN may compute activations of type `stored`, the likely fastest first. `name` identifies the
// way in the tuning cache. float32 may be faster even on a CPU with units for bfloat16.
struct DirectWay {
    std::string_view name;
    DataType type;
};
std::vector<DirectWay> direct_ways(DataType stored);

// An empty function means that the way does not support the convolution.
struct ConvWays {
    std::function<PassPtr(const ConvGeometry&)> direct;  // oneDNN's, in the type `computed` of the geometry
    std::function<PassPtr()> winograd;
    std::function<PassPtr()> narrow;
};

// Chooses the fastest way for direction "fwd", "bwd_d" or "bwd_w"; the chain with upsample has "upsampled " before it.
PassPtr choose_way(const PlanContext& context, const ConvGeometry& geometry, const char* direction,
                   const ConvWays& ways);

// Describes oneDNN's forward pass.
dnnl::convolution_forward::primitive_desc describe_forward(const PlanContext& context, const ConvGeometry& geometry);
PassPtr choose_forward(const PlanContext& context, const ConvGeometry& geometry);

// For the chain of a nearest upsampling by 2 and a 3x3 convolution; here the direct way computes by phases (phases/).
PassPtr choose_upsampled_forward(const PlanContext& context, const ConvGeometry& geometry);

}  // namespace sluice::onednn
