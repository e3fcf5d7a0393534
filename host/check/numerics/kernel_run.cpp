#include "check/numerics/kernel_run.hpp"

namespace sluice::check {
namespace {

constexpr std::uint64_t kSeed = 1;

}  // namespace

KernelRun::KernelRun(const Workbench& bench, const registry::Kernel& kernel, const NodeCase& node,
                     sluice_dtype activations, const Wanted& wanted)
    : bench_(bench),
      kernel_(kernel),
      node_(node),
      specs_(node.specs(activations)),
      wanted_(wanted),
      memory_(bench, kernel, node, specs_) {}

KernelResults KernelRun::step(const NodeValues& values, const Undeclared& undeclared, const Shared& shared) {
    KernelResults results = begin_step(values, shared);
    end_step(values, undeclared, results);
    return results;
}

KernelResults KernelRun::begin_step(const NodeValues& values, const Shared& shared) {
    KernelResults results;
    memory_.prepare_forward(values, shared);
    run_forward(values.version);
    memory_.note_broken_rules("forward", results.broken_rules);
    results.outputs = memory_.outputs();
    results.states = memory_.states();
    return results;
}

void KernelRun::end_step(const NodeValues& values, const Undeclared& undeclared, KernelResults& results) {
    if (!node_.has_backward()) {
        return;
    }
    memory_.prepare_backward(values, kernel_.needs().reads_inputs | undeclared.kept_inputs,
                             kernel_.needs().reads_outputs | undeclared.kept_outputs, wanted_.accumulate);
    run_backward(undeclared, values.version);
    memory_.note_broken_rules("backward", results.broken_rules);
    for (std::size_t i = 0; i < specs_.inputs.size(); ++i) {
        results.input_gradients.push_back(is_wanted(i) ? memory_.input_gradient(i) : Numbers{});
    }
    results.parameter_gradients = memory_.parameter_gradients();
}

std::vector<Numbers> KernelRun::forward(const NodeValues& values) {
    memory_.prepare_forward(values, {});
    run_forward(values.version);
    return memory_.outputs();
}

void KernelRun::run_forward(std::uint32_t version) {
    KernelMemory::Pointers pointers = memory_.forward_pointers();
    kernel_.forward(launch(pointers, version));
    bench_.device()->wait(bench_.stream());
}

void KernelRun::run_backward(const Undeclared& undeclared, std::uint32_t version) {
    KernelMemory::Pointers pointers = memory_.backward_pointers();
    for (std::size_t i = 0; i < pointers.inputs.size(); ++i) {
        if (undeclared.absent && (kernel_.needs().reads_inputs >> i & 1) == 0) {
            pointers.inputs[i] = nullptr;
        }
        if (!is_wanted(i)) {
            pointers.input_gradients[i] = nullptr;
        }
    }
    for (std::size_t i = 0; i < pointers.outputs.size(); ++i) {
        if (undeclared.absent && (kernel_.needs().reads_outputs >> i & 1) == 0) {
            pointers.outputs[i] = nullptr;
        }
    }
    sluice_launch backward = launch(pointers, version);
    backward.accumulate_parameters = wanted_.accumulate ? 1 : 0;
    kernel_.backward(backward);
    bench_.device()->wait(bench_.stream());
}

sluice_launch KernelRun::launch(KernelMemory::Pointers& pointers, std::uint32_t version) const {
    sluice_launch launch{};
    launch.struct_size = sizeof(launch);
    launch.inputs = pointers.inputs.data();
    launch.outputs = pointers.outputs.data();
    launch.parameters = pointers.parameters.data();
    launch.rounded_parameters = pointers.rounded_parameters.empty() ? nullptr : pointers.rounded_parameters.data();
    launch.states = pointers.states.data();
    launch.saved = pointers.saved.data();
    launch.output_gradients = pointers.output_gradients.data();
    launch.input_gradients = pointers.input_gradients.data();
    launch.parameter_gradients = pointers.parameter_gradients.data();
    launch.workspace = kernel_.needs().workspace > 0 ? memory_.workspace() : nullptr;
    launch.stream = bench_.stream();
    launch.scalars = memory_.scalars();
    launch.threads = bench_.threads();
    launch.random_seed = kSeed;
    launch.random_stream = node_.random_stream();
    launch.parameters_version = version;
    return launch;
}

}  // namespace sluice::check
