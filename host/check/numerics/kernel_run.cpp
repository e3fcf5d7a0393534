#include "check/numerics/kernel_run.hpp"

#include <fmt/format.h>

#include "base/random.hpp"

namespace sluice::check {
namespace {

constexpr std::uint64_t kSeed = 1;

void write_all(std::vector<GuardedBuffer>& buffers, const std::vector<sluice_tensor_spec>& specs,
               const std::vector<Numbers>& tensors) {
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        buffers[i].write(encode(specs[i], tensors[i]));
    }
}

void poison_all(std::vector<GuardedBuffer>& buffers) {
    for (GuardedBuffer& buffer : buffers) {
        buffer.poison();
    }
}

std::vector<Numbers> read_all(const std::vector<GuardedBuffer>& buffers, const std::vector<sluice_tensor_spec>& specs) {
    std::vector<Numbers> tensors;
    for (std::size_t i = 0; i < buffers.size(); ++i) {
        tensors.push_back(decode(specs[i], buffers[i].read()));
    }
    return tensors;
}

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

KernelRun::KernelRun(const Workbench& bench, const registry::Kernel& kernel, const NodeCase& node,
                     sluice_dtype activations, const Wanted& wanted)
    : bench_(bench),
      kernel_(kernel),
      node_(node),
      specs_(node.specs(activations)),
      wanted_(wanted),
      inputs_(make_buffers(specs_.inputs)),
      outputs_(make_buffers(specs_.outputs)),
      parameters_(make_buffers(specs_.parameters)),
      states_(make_buffers(specs_.states)),
      rounded_specs_(rounded_specs(kernel, specs_.parameters)),
      rounded_parameters_(make_buffers(rounded_specs_)),
      input_gradients_(make_buffers(specs_.inputs)),
      parameter_gradients_(make_buffers(specs_.parameters)),
      workspace_(bench, kernel.needs().workspace),
      scalars_(make_scalars(bench)) {
    for (const std::uint64_t bytes : kernel.needs().saved) {
        saved_.emplace_back(bench, bytes);
    }
    if (node.role() == SLUICE_ROLE_LAYER) {
        output_gradients_ = make_buffers(specs_.outputs);
    }
}

KernelRun::Buffers KernelRun::make_buffers(const std::vector<sluice_tensor_spec>& specs) const {
    Buffers buffers;
    for (const sluice_tensor_spec& spec : specs) {
        buffers.emplace_back(bench_, byte_count(spec));
    }
    return buffers;
}

const GuardedBuffer& KernelRun::output(std::size_t i) const {
    return shared_.tensors && shared_.tensors->output == i ? inputs_[shared_.tensors->input] : outputs_[i];
}

const GuardedBuffer& KernelRun::input_gradient(std::size_t i) const {
    return shared_.gradients && shared_.gradients->input == i ? output_gradients_[shared_.gradients->output]
                                                              : input_gradients_[i];
}

KernelResults KernelRun::step(const NodeValues& values, const Undeclared& undeclared, const Shared& shared) {
    KernelResults results = begin_step(values, shared);
    end_step(values, undeclared, results);
    return results;
}

KernelResults KernelRun::begin_step(const NodeValues& values, const Shared& shared) {
    shared_ = shared;
    KernelResults results;
    upload(values);
    run_forward(values.version);
    note_broken_rules("forward", results.broken_rules);
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
        results.outputs.push_back(decode(specs_.outputs[i], output(i).read()));
    }
    results.states = read_all(states_, specs_.states);
    return results;
}

void KernelRun::end_step(const NodeValues& values, const Undeclared& undeclared, KernelResults& results) {
    if (!node_.has_backward()) {
        return;
    }
    prepare_backward(values, undeclared);
    run_backward(undeclared, values.version);
    note_broken_rules("backward", results.broken_rules);
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
        results.input_gradients.push_back(is_wanted(i) ? decode(specs_.inputs[i], input_gradient(i).read())
                                                       : Numbers{});
    }
    results.parameter_gradients = read_all(parameter_gradients_, specs_.parameters);
}

std::vector<Numbers> KernelRun::forward(const NodeValues& values) {
    shared_ = {};
    upload(values);
    run_forward(values.version);
    return read_all(outputs_, specs_.outputs);
}

void KernelRun::upload(const NodeValues& values) {
    write_all(inputs_, specs_.inputs, values.inputs);
    write_all(parameters_, specs_.parameters, values.parameters);
    if (!rounded_specs_.empty()) {
        write_all(rounded_parameters_, rounded_specs_, values.parameters);
    }
    write_all(states_, specs_.states, values.states);
    poison_all(outputs_);
    poison_all(saved_);
    workspace_.poison();
}

void KernelRun::run_forward(std::uint32_t version) {
    Pointers pointers;
    pointers.inputs = addresses(inputs_);
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
        pointers.outputs.push_back(output(i).data());
    }
    kernel_.forward(launch(pointers, version));
    bench_.device()->wait(bench_.stream());
}

void KernelRun::prepare_backward(const NodeValues& values, const Undeclared& undeclared) {
    const std::uint64_t inputs = kernel_.needs().reads_inputs | undeclared.kept_inputs;
    const std::uint64_t outputs = kernel_.needs().reads_outputs | undeclared.kept_outputs;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
        const bool is_written_over = shared_.tensors && shared_.tensors->input == i;
        if (!is_written_over && (inputs >> i & 1) == 0) {
            inputs_[i].poison();
        }
    }
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
        if ((outputs >> i & 1) == 0) {
            outputs_[i].poison();
        }
    }
    workspace_.poison();
    write_all(output_gradients_, specs_.outputs, values.output_gradients);
    for (std::size_t i = 0; i < input_gradients_.size(); ++i) {
        wanted_.accumulate ? input_gradients_[i].write(encode(specs_.inputs[i], numbers_before(specs_.inputs[i])))
                           : input_gradients_[i].poison();
    }
    for (std::size_t i = 0; i < parameter_gradients_.size(); ++i) {
        const sluice_tensor_spec& spec = specs_.parameters[i];
        wanted_.accumulate ? parameter_gradients_[i].write(encode(spec, numbers_before(spec)))
                           : parameter_gradients_[i].poison();
    }
}

void KernelRun::run_backward(const Undeclared& undeclared, std::uint32_t version) {
    Pointers pointers;
    pointers.inputs = addresses(inputs_);
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
        pointers.outputs.push_back(output(i).data());
    }
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
        pointers.input_gradients.push_back(input_gradient(i).data());
        if (undeclared.absent && (kernel_.needs().reads_inputs >> i & 1) == 0) {
            pointers.inputs[i] = nullptr;
        }
        if (!is_wanted(i)) {
            pointers.input_gradients[i] = nullptr;
        }
    }
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
        if (undeclared.absent && (kernel_.needs().reads_outputs >> i & 1) == 0) {
            pointers.outputs[i] = nullptr;
        }
    }
    pointers.output_gradients = addresses(output_gradients_);
    pointers.output_gradients.resize(outputs_.size(), nullptr);  // losses get no gradients of their outputs
    pointers.parameter_gradients = addresses(parameter_gradients_);
    sluice_launch backward = launch(pointers, version);
    backward.accumulate_parameters = wanted_.accumulate ? 1 : 0;
    kernel_.backward(backward);
    bench_.device()->wait(bench_.stream());
}

sluice_launch KernelRun::launch(Pointers& pointers, std::uint32_t version) {
    pointers.parameters = addresses(parameters_);
    pointers.rounded_parameters = addresses(rounded_parameters_);
    pointers.states = addresses(states_);
    pointers.saved = addresses(saved_);
    sluice_launch launch{};
    launch.struct_size = sizeof(launch);
    launch.inputs = pointers.inputs.data();
    launch.outputs = pointers.outputs.data();
    launch.parameters = pointers.parameters.data();
    launch.rounded_parameters = rounded_specs_.empty() ? nullptr : pointers.rounded_parameters.data();
    launch.states = pointers.states.data();
    launch.saved = pointers.saved.data();
    launch.output_gradients = pointers.output_gradients.data();
    launch.input_gradients = pointers.input_gradients.data();
    launch.parameter_gradients = pointers.parameter_gradients.data();
    launch.workspace = kernel_.needs().workspace > 0 ? workspace_.data() : nullptr;
    launch.stream = bench_.stream();
    launch.scalars = static_cast<const sluice_step_scalars*>(scalars_.data());
    launch.threads = bench_.threads();
    launch.random_seed = kSeed;
    launch.random_stream = node_.random_stream();
    launch.parameters_version = version;
    return launch;
}

void KernelRun::note_broken_rules(const std::string& pass, std::vector<std::string>& broken) const {
    const auto check_guards = [&](const GuardedBuffer& buffer, const std::string& name) {
        if (!buffer.damage().empty()) {
            broken.push_back(fmt::format("{} writes {} of {}", pass, buffer.damage(), name));
        }
    };
    const auto is_written_over = [&](const GuardedBuffer& buffer) {
        return (shared_.tensors && &buffer == &inputs_[shared_.tensors->input]) ||
               (shared_.gradients && &buffer == &output_gradients_[shared_.gradients->output]);
    };
    const auto check_all = [&](const Buffers& buffers, const char* name, bool is_read_only) {
        for (std::size_t i = 0; i < buffers.size(); ++i) {
            check_guards(buffers[i], fmt::format("{} {}", name, i));
            if (is_read_only && buffers[i].has_changed() && !is_written_over(buffers[i])) {
                broken.push_back(fmt::format("{} writes to {} {}, which it may only read", pass, name, i));
            }
        }
    };
    check_all(inputs_, "input", true);
    check_all(parameters_, "parameter", true);
    check_all(rounded_parameters_, "rounded parameter", true);
    check_all(output_gradients_, "the gradient of output", true);
    check_all(outputs_, "output", false);
    check_all(states_, "state", !node_.trains());
    check_all(saved_, "saved block", false);
    check_all(input_gradients_, "the gradient of input", false);
    check_all(parameter_gradients_, "the gradient of parameter", false);
    check_guards(workspace_, "the workspace");
    if (scalars_.has_changed()) {
        broken.push_back(pass + " writes to the step's scalars, which it may only read");
    }
}

}  // namespace sluice::check
