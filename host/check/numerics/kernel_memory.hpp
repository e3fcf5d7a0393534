// Guarded memory for the launches of one kernel. Before each launch, all that the kernel may not read is NaN. After it,
// the guards show what the kernel wrote against the memory rules.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "check/numerics/guarded_buffer.hpp"
#include "check/numerics/guarded_tensors.hpp"
#include "check/numerics/node_values.hpp"
#include "registry/objects/kernel.hpp"

namespace sluice::check {

// Tensors that share memory: an output with an input, the gradient of an input with that of an output.
struct Shared {
    std::optional<registry::InPlace> tensors;
    std::optional<registry::InPlace> gradients;
};

// A loss multiplies its derivatives by this. It is not 1, so that a kernel which forgets it gives wrong gradients.
inline constexpr double kLossSeed = 2.0;

// Element i of any gradient before backward, if backward adds to gradients.
double gradient_before(std::size_t i);

class KernelMemory {
public:
    // The arrays of one launch.
    struct Pointers {
        std::vector<void*> inputs, outputs, parameters, rounded_parameters, states, saved;
        std::vector<void*> output_gradients, input_gradients, parameter_gradients;
    };

    // `bench` must outlive this object.
    KernelMemory(const Workbench& bench, const registry::Kernel& kernel, const NodeCase& node, const NodeSpecs& specs);

    // `shared` holds until the next call.
    void prepare_forward(const NodeValues& values, const Shared& shared);
    // The bits name inputs and outputs of forward that backward may read. `accumulate`: it adds to gradients.
    void prepare_backward(const NodeValues& values, std::uint64_t kept_inputs, std::uint64_t kept_outputs,
                          bool accumulate);

    // Has no gradients.
    [[nodiscard]] Pointers forward_pointers() const;
    [[nodiscard]] Pointers backward_pointers() const;
    [[nodiscard]] void* workspace() const { return workspace_.data(); }
    [[nodiscard]] const sluice_step_scalars* scalars() const;

    [[nodiscard]] std::vector<Numbers> outputs() const;
    [[nodiscard]] std::vector<Numbers> states() const { return states_.read(); }
    [[nodiscard]] Numbers input_gradient(std::size_t i) const;
    [[nodiscard]] std::vector<Numbers> parameter_gradients() const { return parameter_gradients_.read(); }

    // Adds the rules that the launch of `pass` broke: "forward writes past the end of output 0".
    void note_broken_rules(const std::string& pass, std::vector<std::string>& broken) const;

private:
    using Buffers = std::vector<GuardedBuffer>;

    // The buffers of output i and of the gradient of input i in this step, which may be shared.
    [[nodiscard]] const GuardedBuffer& output_buffer(std::size_t i) const;
    [[nodiscard]] const GuardedBuffer& input_gradient_buffer(std::size_t i) const;

    GuardedTensors inputs_, outputs_, parameters_, states_;
    GuardedTensors rounded_parameters_;  // none unless the kernel reads the parameters rounded
    GuardedTensors output_gradients_;    // only of layers
    GuardedTensors input_gradients_, parameter_gradients_;
    Buffers saved_;
    GuardedBuffer workspace_;
    GuardedBuffer scalars_;
    bool may_write_states_;
    Shared shared_;
};

}  // namespace sluice::check
