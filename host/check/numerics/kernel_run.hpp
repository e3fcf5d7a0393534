// Runs one kernel on one case as a training step would, in guarded memory, and reports which memory rules it breaks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "check/numerics/guarded_buffer.hpp"
#include "check/numerics/node_values.hpp"

namespace sluice::check {

// Inputs and outputs of backward that the kernel did not declare as read. They are NaN by default, because a plan may
// have put other data there. `absent`: they are NULL, as in training. The bits name tensors that are left in place.
struct Undeclared {
    bool absent = false;
    std::uint64_t kept_inputs = 0;
    std::uint64_t kept_outputs = 0;
};

// Tensors that share memory: an output with an input, the gradient of an input with that of an output.
struct Shared {
    std::optional<registry::InPlace> tensors;
    std::optional<registry::InPlace> gradients;
};

struct KernelResults {
    std::vector<Numbers> outputs, states;
    std::vector<Numbers> input_gradients;  // an entry is empty if it is not wanted
    std::vector<Numbers> parameter_gradients;
    std::vector<std::string> broken_rules;  // "forward writes past the end of output 0"
};

// Element i of any gradient before backward, if backward adds to gradients.
double gradient_before(std::size_t i);

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
    using Buffers = std::vector<GuardedBuffer>;
    // The arrays of one launch.
    struct Pointers {
        std::vector<void*> inputs, outputs, parameters, rounded_parameters, states, saved;
        std::vector<void*> output_gradients, input_gradients, parameter_gradients;
    };

    [[nodiscard]] Buffers make_buffers(const std::vector<sluice_tensor_spec>& specs) const;
    void upload(const NodeValues& values);
    void run_forward(std::uint32_t version);
    void prepare_backward(const NodeValues& values, const Undeclared& undeclared);
    void run_backward(const Undeclared& undeclared, std::uint32_t version);
    [[nodiscard]] sluice_launch launch(Pointers& pointers, std::uint32_t version);
    [[nodiscard]] bool is_wanted(std::size_t input) const { return (wanted_.inputs >> input & 1) != 0; }
    // The buffers of output i and of the gradient of input i in this step, which may be shared.
    [[nodiscard]] const GuardedBuffer& output(std::size_t i) const;
    [[nodiscard]] const GuardedBuffer& input_gradient(std::size_t i) const;
    void note_broken_rules(const std::string& pass, std::vector<std::string>& broken) const;

    const Workbench& bench_;
    const registry::Kernel& kernel_;
    const NodeCase& node_;
    const NodeSpecs& specs_;
    Wanted wanted_;
    Shared shared_;  // of the current step
    Buffers inputs_, outputs_, parameters_, states_, saved_;
    std::vector<sluice_tensor_spec> rounded_specs_;  // empty unless the kernel reads the parameters rounded
    Buffers rounded_parameters_;
    Buffers output_gradients_, input_gradients_, parameter_gradients_;
    GuardedBuffer workspace_;
    GuardedBuffer scalars_;
};

// A loss multiplies its derivatives by this. It is not 1, so that a kernel which forgets it gives wrong gradients.
inline constexpr double kLossSeed = 2.0;

}  // namespace sluice::check
