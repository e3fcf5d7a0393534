#include "check/numerics/kernel_memory.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <span>

namespace sluice::check {
namespace {

std::vector<void*> addresses(const std::vector<GuardedBuffer>& buffers) {
    std::vector<void*> pointers;
    for (const GuardedBuffer& buffer : buffers) {
        pointers.push_back(buffer.data());
    }
    return pointers;
}

Numbers numbers_before(const sluice_tensor_spec& spec) {
    Numbers numbers(static_cast<std::size_t>(element_count(spec)));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        numbers[i] = gradient_before(i);
    }
    return numbers;
}

void prepare_gradients(GuardedTensors& gradients, bool accumulate) {
    for (std::size_t i = 0; i < gradients.buffers.size(); ++i) {
        const sluice_tensor_spec& spec = gradients.specs[i];
        accumulate ? gradients.buffers[i].write(encode(spec, numbers_before(spec))) : gradients.buffers[i].poison();
    }
}

// Specs of the rounded parameters that the kernel asks for; empty: it asks for none.
std::vector<sluice_tensor_spec> rounded_specs(const registry::Kernel& kernel,
                                              const std::vector<sluice_tensor_spec>& parameters) {
    std::vector<sluice_tensor_spec> specs;
    if (const auto dtype = kernel.needs().rounded_parameters) {
        for (sluice_tensor_spec spec : parameters) {
            spec.dtype = *dtype;
            specs.push_back(spec);
        }
    }
    return specs;
}

GuardedBuffer make_scalars(const Workbench& bench) {
    sluice_step_scalars scalars{};
    scalars.rate = 1e-3;
    scalars.gradient_scale = 1.0;
    scalars.loss_seed = kLossSeed;
    scalars.step = 1;
    scalars.random_counter = 7;
    GuardedBuffer buffer(bench, sizeof(scalars));
    buffer.write(std::as_bytes(std::span(&scalars, 1)));
    return buffer;
}

}  // namespace

double gradient_before(std::size_t i) { return 0.25 * static_cast<double>(i % 5) - 0.5; }

KernelMemory::KernelMemory(const Workbench& bench, const registry::Kernel& kernel, const NodeCase& node,
                           const NodeSpecs& specs)
    : inputs_(bench, specs.inputs),
      outputs_(bench, specs.outputs),
      parameters_(bench, specs.parameters),
      states_(bench, specs.states),
      rounded_parameters_(bench, rounded_specs(kernel, specs.parameters)),
      output_gradients_(bench, node.role() == SLUICE_ROLE_LAYER ? specs.outputs : std::vector<sluice_tensor_spec>{}),
      input_gradients_(bench, specs.inputs),
      parameter_gradients_(bench, specs.parameters),
      workspace_(bench, kernel.needs().workspace),
      scalars_(make_scalars(bench)),
      may_write_states_(node.trains()) {
    for (const std::uint64_t bytes : kernel.needs().saved) {
        saved_.emplace_back(bench, bytes);
    }
}

void KernelMemory::prepare_forward(const NodeValues& values, const Shared& shared) {
    shared_ = shared;
    inputs_.write(values.inputs);
    parameters_.write(values.parameters);
    if (!rounded_parameters_.buffers.empty()) {
        rounded_parameters_.write(values.parameters);
    }
    states_.write(values.states);
    outputs_.poison();
    for (GuardedBuffer& buffer : saved_) {
        buffer.poison();
    }
    workspace_.poison();
}

void KernelMemory::prepare_backward(const NodeValues& values, std::uint64_t kept_inputs, std::uint64_t kept_outputs,
                                    bool accumulate) {
    for (std::size_t i = 0; i < inputs_.buffers.size(); ++i) {
        const bool is_written_over = shared_.tensors && shared_.tensors->input == i;
        if (!is_written_over && (kept_inputs >> i & 1) == 0) {
            inputs_.buffers[i].poison();
        }
    }
    for (std::size_t i = 0; i < outputs_.buffers.size(); ++i) {
        if ((kept_outputs >> i & 1) == 0) {
            outputs_.buffers[i].poison();
        }
    }
    workspace_.poison();
    output_gradients_.write(values.output_gradients);
    prepare_gradients(input_gradients_, accumulate);
    prepare_gradients(parameter_gradients_, accumulate);
}

KernelMemory::Pointers KernelMemory::forward_pointers() const {
    Pointers pointers;
    pointers.inputs = addresses(inputs_.buffers);
    for (std::size_t i = 0; i < outputs_.buffers.size(); ++i) {
        pointers.outputs.push_back(output_buffer(i).data());
    }
    pointers.parameters = addresses(parameters_.buffers);
    pointers.rounded_parameters = addresses(rounded_parameters_.buffers);
    pointers.states = addresses(states_.buffers);
    pointers.saved = addresses(saved_);
    return pointers;
}

KernelMemory::Pointers KernelMemory::backward_pointers() const {
    Pointers pointers = forward_pointers();
    for (std::size_t i = 0; i < inputs_.buffers.size(); ++i) {
        pointers.input_gradients.push_back(input_gradient_buffer(i).data());
    }
    pointers.output_gradients = addresses(output_gradients_.buffers);
    pointers.output_gradients.resize(outputs_.buffers.size(), nullptr);  // losses get no gradients of their outputs
    pointers.parameter_gradients = addresses(parameter_gradients_.buffers);
    return pointers;
}

const sluice_step_scalars* KernelMemory::scalars() const {
    return static_cast<const sluice_step_scalars*>(scalars_.data());
}

std::vector<Numbers> KernelMemory::outputs() const {
    std::vector<Numbers> values;
    for (std::size_t i = 0; i < outputs_.buffers.size(); ++i) {
        values.push_back(decode(outputs_.specs[i], output_buffer(i).read()));
    }
    return values;
}

Numbers KernelMemory::input_gradient(std::size_t i) const {
    return decode(input_gradients_.specs[i], input_gradient_buffer(i).read());
}

const GuardedBuffer& KernelMemory::output_buffer(std::size_t i) const {
    return shared_.tensors && shared_.tensors->output == i ? inputs_.buffers[shared_.tensors->input]
                                                           : outputs_.buffers[i];
}

const GuardedBuffer& KernelMemory::input_gradient_buffer(std::size_t i) const {
    return shared_.gradients && shared_.gradients->input == i ? output_gradients_.buffers[shared_.gradients->output]
                                                              : input_gradients_.buffers[i];
}

void KernelMemory::note_broken_rules(const std::string& pass, std::vector<std::string>& broken) const {
    const auto check_guards = [&](const GuardedBuffer& buffer, const std::string& name) {
        if (!buffer.damage().empty()) {
            broken.push_back(fmt::format("{} writes {} of {}", pass, buffer.damage(), name));
        }
    };
    const auto is_written_over = [&](const GuardedBuffer& buffer) {
        return (shared_.tensors && &buffer == &inputs_.buffers[shared_.tensors->input]) ||
               (shared_.gradients && &buffer == &output_gradients_.buffers[shared_.gradients->output]);
    };
    const auto check_all = [&](const Buffers& buffers, const char* name, bool is_read_only) {
        for (std::size_t i = 0; i < buffers.size(); ++i) {
            check_guards(buffers[i], fmt::format("{} {}", name, i));
            if (is_read_only && buffers[i].has_changed() && !is_written_over(buffers[i])) {
                broken.push_back(fmt::format("{} writes to {} {}, which it may only read", pass, name, i));
            }
        }
    };
    check_all(inputs_.buffers, "input", true);
    check_all(parameters_.buffers, "parameter", true);
    check_all(rounded_parameters_.buffers, "rounded parameter", true);
    check_all(output_gradients_.buffers, "the gradient of output", true);
    check_all(outputs_.buffers, "output", false);
    check_all(states_.buffers, "state", !may_write_states_);
    check_all(saved_, "saved block", false);
    check_all(input_gradients_.buffers, "the gradient of input", false);
    check_all(parameter_gradients_.buffers, "the gradient of parameter", false);
    check_guards(workspace_, "the workspace");
    if (scalars_.has_changed()) {
        broken.push_back(pass + " writes to the step's scalars, which it may only read");
    }
}

}  // namespace sluice::check
