// The work of each launch of a training step, whichever kernel runs it: the arithmetic of its layers and the bytes that
// it must touch. Extra passes of a kernel over memory are not counted.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "plan/plan.hpp"

namespace sluice::bench {

// Kinds of arithmetic, each with its own peak rate: a layer's output, the gradient of its parameters alone (as in the
// first layer), and both of its gradients.
enum class Arithmetic { forward, parameter_gradients, both_gradients };
inline constexpr std::size_t kArithmetics = 3;
const char* name_of(Arithmetic arithmetic);
const char* name_of(plan::Direction direction);

struct LaunchWork {
    plan::Launch launch;
    std::string path;    // of the chain's first layer with arithmetic, else of its first layer
    std::string types;   // "conv2d+batch_norm+relu"
    std::string shapes;  // of that layer's inputs and parameters: "8x64x64x256, 256x3x3x256, 256"
    std::string kernel;  // provider
    std::string note;
    std::array<double, kArithmetics> flops{};  // each gradient of a layer counts as much as its output
    // Forward and recompute: inputs, outputs and parameters. Backward: inputs and outputs that the kernel reads,
    // gradients of outputs, wanted gradients of inputs, parameters and their gradients. Each counts once.
    double bytes = 0.0;

    [[nodiscard]] double total_flops() const;
};

// Lists the launches in execution order.
std::vector<LaunchWork> list_work(const plan::Plan& plan);

}  // namespace sluice::bench
