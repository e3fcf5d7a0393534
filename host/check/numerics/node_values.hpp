// The numbers that a case runs on. All are representable in float32, so that float32 and float64 start from the same.
#pragma once

#include "check/numerics/node_case.hpp"
#include "check/numerics/number_format.hpp"

namespace sluice::check {

struct NodeValues {
    std::vector<Numbers> inputs, parameters, states;
    std::vector<Numbers> output_gradients;  // of losses: empty
    std::uint32_t version = 1;              // of the parameters
};

// The same for the same layer type and case, on every machine.
NodeValues make_values(const NodeCase& node);

// Other numbers of the same shapes, under another version of the parameters.
NodeValues turned_around(NodeValues values);

}  // namespace sluice::check
