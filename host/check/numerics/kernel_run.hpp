// Runs one kernel on one case as a training step would, in guarded memory, and reports which memory rules it breaks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "check/numerics/kernel_memory.hpp"
#include "check/numerics/node_values.hpp"
#include "registry/objects/kernel.hpp"

namespace sluice::check {

// Inputs and outputs of backward that the kernel did not declare as read. They are NaN by default, because a plan may
// have put other data there. `absent`: they are NULL, as in training. The bits name tensors that are left in place.
struct Undeclared {
    bool absent = false;
    std::uint64_t kept_inputs = 0;
    std::uint64_t kept_outputs = 0;
};

struct KernelResults {
    std::vector<Numbers> outputs, states;
    std::vector<Numbers> input_gradients;  // an entry is empty if it is not wanted
    std::vector<Numbers> parameter_gradients;
    std::vector<std::string> broken_rules;  // "forward writes past the end of output 0"
};

class KernelRun {
public:
    // All arguments must outlive the run. `wanted` must be that of the view that `kernel` was planned with.
    KernelRun(const Workbench& bench, const registry::Kernel& kernel, const NodeCase& node, sluice_dtype activations,
              const Wanted& wanted);

    // Runs forward and, if the case has one, backward.
    KernelResults step(const NodeValues& values, const Undeclared& undeclared, const Shared& shared = {});
    // The two halves of step(). Other kernels may run between them.
    KernelResults begin_step(const NodeValues& values, const Shared& shared = {});
    void end_step(const NodeValues& values, const Undeclared& undeclared, KernelResults& results);
    // Runs only forward and returns the outputs.
    std::vector<Numbers> forward(const NodeValues& values);

    [[nodiscard]] const registry::Kernel& kernel() const { return kernel_; }
    [[nodiscard]] const NodeSpecs& specs() const { return specs_; }
    [[nodiscard]] const Wanted& wanted() const { return wanted_; }

private:
    void run_forward(std::uint32_t version);
    void run_backward(const Undeclared& undeclared, std::uint32_t version);
    [[nodiscard]] sluice_launch launch(KernelMemory::Pointers& pointers, std::uint32_t version) const;
    [[nodiscard]] bool is_wanted(std::size_t input) const { return (wanted_.inputs >> input & 1) != 0; }

    const Workbench& bench_;
    const registry::Kernel& kernel_;
    const NodeCase& node_;
    const NodeSpecs& specs_;
    Wanted wanted_;
    KernelMemory memory_;
};

}  // namespace sluice::check
