// The values that a case runs on. All are representable in float32, so that float32 and float64 start from the same
// values.
#pragma once

#include "check/numerics/node_case.hpp"
#include "check/numerics/number_format.hpp"

namespace sluice::check {

struct NodeValues {
    std::vector<Numbers> inputs, parameters, states;
    std::vector<Numbers> output_gradients;  // empty for losses and metrics
    std::uint32_t version = 1;              // version of the parameters
};

// The values depend on the layer type and the case alone, and are the same on every machine.
NodeValues make_values(const NodeCase& node);

// Reverses the values of each tensor and changes the version of the parameters.
NodeValues reversed_values(NodeValues values);

}  // namespace sluice::check
