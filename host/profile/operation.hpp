// The work of a kernel's launch: a chain of layers in one direction.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sluice/kind/profile.h"

namespace sluice::profile {

struct Operation {
    std::string path{};    // of the layer with most arithmetic
    std::string type{};    // "conv2d+batch_norm+relu"
    std::string shape{};   // of that layer's inputs and parameters
    std::string kernel{};  // provider and its note
    double flop = 0.0;     // by definition of the layers
    double done_flop = 0.0;
    double bytes = 0.0;
    std::uint32_t kind = SLUICE_SPAN_FORWARD;  // of its spans
    sluice_dtype dtype{};                      // of the arithmetic's operands
    // Of a launch with several kernels, each kernel has an operation: this share of the launch, and of its work.
    double share = 1.0;
};

// Spans refer to elements. The recorder shares ownership of the list as long as it has such spans.
using Operations = std::shared_ptr<const std::vector<Operation>>;

// A tensor in the arena, and the operations between which it lives.
struct ArenaTensor {
    std::string name;
    std::uint64_t bytes = 0;
    std::uint64_t offset = 0;
    std::uint32_t first_operation = 0;  // indices in the list of operations
    std::uint32_t last_operation = 0;
};

}  // namespace sluice::profile
