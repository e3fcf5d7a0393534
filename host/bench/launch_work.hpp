// What the launches of a training step have to do, whoever does it: the arithmetic that the layers ask for and the
// bytes that have to be touched. Passes over memory that a kernel adds of its own are not counted.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "plan/plan.hpp"

namespace sluice::bench {

// Kinds of arithmetic, each with a best rate of its own: a layer's output, the gradient of its parameters alone (the
// first layer needs no other), and both of its gradients.
enum class Arithmetic { forward, parameter_gradients, both_gradients };
inline constexpr std::size_t kArithmetics = 3;
const char* name_of(Arithmetic arithmetic);
const char* name_of(plan::Direction direction);

struct LaunchWork {
    plan::Launch launch;
    std::string path;    // of the chain's first layer with arithmetic, else of its first
    std::string types;   // "conv2d+batch_norm+relu"
    std::string shapes;  // of that layer's inputs and parameters: "8x64x64x256, 256x3x3x256, 256"
    std::string kernel;  // provider
    std::string note;
    std::array<double, kArithmetics> flops{};  // each gradient of a layer takes as many as its output
    // Forward, the first time or again: inputs, outputs, parameters. Backward: what the kernel reads of these, the
    // gradients of outputs, the wanted gradients of inputs, parameters and their gradients. Each is counted once.
    double bytes = 0.0;

    [[nodiscard]] double total_flops() const;
};

// In the order in which they run.
std::vector<LaunchWork> list_work(const plan::Plan& plan);

}  // namespace sluice::bench
