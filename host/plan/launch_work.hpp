// The work of each launch of a training step: the arithmetic of its layers, the arithmetic that its kernel does, and
// the bytes that it must touch. Extra passes of a kernel over memory are not counted.
#pragma once

#include <string>
#include <vector>

#include "plan/plan.hpp"

namespace sluice::plan {

const char* name_of(Direction direction);

struct LaunchWork {
    Launch launch;
    std::string path;    // of the chain's layer with most arithmetic, else of its first layer
    std::string types;   // "conv2d+batch_norm+relu"
    std::string shapes;  // of that layer's inputs and parameters: "8x64x64x256, 256x3x3x256, 256"
    std::string kernel;  // provider
    std::string note;
    sluice_dtype dtype{};  // of that layer's operands, as its kernel multiplies them
    sluice_dtype asked{};  // as the layer asks for; one direction may multiply in it though the kernel reports another
    double flops = 0.0;    // by definition of the layers; each gradient of a layer counts as much as its output
    double done_flops = 0.0;  // that the kernel does; the same as `flops` if it reports nothing
    // Forward and recompute: inputs, outputs and parameters. Backward: inputs and outputs that the kernel reads,
    // gradients of outputs, wanted gradients of inputs, parameters and their gradients. Each counts once.
    double bytes = 0.0;
};

// Lists the launches in execution order.
std::vector<LaunchWork> list_work(const Plan& plan);

}  // namespace sluice::plan
