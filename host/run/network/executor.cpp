#include "run/network/executor.hpp"

#include <algorithm>
#include <cmath>

#include "run/network/replica_lost.hpp"

namespace sluice::run {

Executor::Executor(const plan::Plan& plan, const Weights& weights, std::byte* arena, const LaunchContext& context)
    : plan_(plan), weights_(weights), arena_(arena), context_(context), spans_(plan, context.spans) {
    // Moving Pointers keeps the vectors' memory, so the launches stay valid.
    std::vector<bool> is_recomputed(plan_.steps.size(), false);
    for (const auto& [direction, step] : plan_.launches) {
        is_recomputed[step] = is_recomputed[step] || direction == plan::Direction::recompute;
    }
    for (std::size_t s = 0; s < plan_.steps.size(); ++s) {
        const plan::Step& step = plan_.steps[s];
        forward_.push_back(bind_forward(step));
        recompute_.push_back(is_recomputed[s] ? bind_recompute(step) : Pointers{});
        backward_.push_back(step.has_backward ? bind_backward(step, is_recomputed[s]) : Pointers{});
    }
    filled_ = find_filled();
}

// A parameter's gradient is final after the last launch that writes it.
std::vector<std::uint64_t> Executor::find_filled() const {
    const std::vector<std::uint64_t>& offsets = weights_.layout().parameters;
    std::vector<std::size_t> last(offsets.size(), 0);
    for (std::size_t i = 0; i < plan_.launches.size(); ++i) {
        const auto& [direction, step] = plan_.launches[i];
        if (direction == plan::Direction::backward) {
            for (const std::size_t parameter : plan_.steps[step].parameters) {
                last[parameter] = i;
            }
        }
    }
    std::vector<std::uint64_t> filled(plan_.launches.size(), weights_.count());
    for (std::size_t parameter = 0; parameter < offsets.size(); ++parameter) {
        for (std::size_t i = 0; i < last[parameter]; ++i) {
            filled[i] = std::min(filled[i], offsets[parameter]);
        }
    }
    return filled;
}

void* Executor::at(std::uint64_t offset) const { return offset == plan::kNowhere ? nullptr : arena_ + offset; }

std::byte* Executor::tensor(plan::TensorId id) const { return static_cast<std::byte*>(at(plan_.memory.tensors[id])); }

std::byte* Executor::gradient(plan::TensorId id) const {
    return static_cast<std::byte*>(at(plan_.memory.gradients[id]));
}

void* Executor::backward_tensor(plan::TensorId id) const {
    const std::uint64_t recomputed = plan_.memory.recomputed_tensors[id];
    return at(recomputed != plan::kNowhere ? recomputed : plan_.memory.tensors[id]);
}

Executor::Pointers Executor::bind_forward(const plan::Step& step) const {
    Pointers p;
    for (const plan::TensorId id : step.inputs) {
        p.inputs.push_back(at(plan_.memory.tensors[id]));
    }
    for (const plan::TensorId id : step.outputs) {
        p.outputs.push_back(at(plan_.memory.tensors[id]));
    }
    finish(p, step, step.forward_workspace);
    return p;
}

// Binds a recomputation: like forward, but on backward's tensors and with scratch memory for the running states.
Executor::Pointers Executor::bind_recompute(const plan::Step& step) const {
    Pointers p;
    for (const plan::TensorId id : step.inputs) {
        p.inputs.push_back(backward_tensor(id));
    }
    for (const plan::TensorId id : step.outputs) {
        p.outputs.push_back(backward_tensor(id));
    }
    finish(p, step, step.recompute_workspace);
    for (std::size_t i = 0; i < step.states.size(); ++i) {
        p.states[i] = at(step.recomputed_states[i]);
    }
    for (std::size_t i = 0; i < step.recomputed_saved.size(); ++i) {
        p.saved[i] = at(step.recomputed_saved[i]);
    }
    return p;
}

Executor::Pointers Executor::bind_backward(const plan::Step& step, bool is_recomputed) const {
    Pointers p;
    const registry::KernelNeeds& needs = step.kernel.needs();
    for (std::size_t i = 0; i < step.inputs.size(); ++i) {
        const plan::TensorId id = step.inputs[i];
        p.inputs.push_back((needs.reads_inputs >> i & 1) != 0 ? backward_tensor(id) : nullptr);
        p.input_gradients.push_back(step.input_gradients[i] ? at(plan_.memory.gradients[id]) : nullptr);
    }
    for (std::size_t i = 0; i < step.outputs.size(); ++i) {
        const plan::TensorId id = step.outputs[i];
        p.outputs.push_back((needs.reads_outputs >> i & 1) != 0 ? backward_tensor(id) : nullptr);
        p.output_gradients.push_back(at(plan_.memory.gradients[id]));
    }
    for (const std::size_t i : step.parameters) {
        p.parameter_gradients.push_back(weights_.gradients() + weights_.layout().parameters[i]);
    }
    finish(p, step, step.backward_workspace);
    for (std::size_t i = 0; i < step.saved.size() && is_recomputed; ++i) {
        p.saved[i] = at(step.recomputed_saved[i]);
    }
    return p;
}

// Binds what forward and backward have in common, and fills in the launch.
void Executor::finish(Pointers& p, const plan::Step& step, std::uint64_t workspace) const {
    for (const std::size_t i : step.parameters) {
        float* const parameters = context_.averaged ? weights_.average().parameters() : weights_.parameters();
        p.parameters.push_back(parameters + weights_.layout().parameters[i]);
    }
    if (const auto dtype = step.kernel.needs().rounded_parameters) {
        for (const std::size_t i : step.parameters) {
            p.rounded_parameters.push_back(weights_.rounded(context_.averaged).of(*dtype) +
                                           weights_.layout().parameters[i]);
        }
        p.launch.rounded_parameters = p.rounded_parameters.data();
    }
    for (const std::size_t i : step.states) {
        float* const running = context_.averaged ? weights_.average().running() : weights_.running();
        p.states.push_back(running + weights_.layout().states[i]);
    }
    for (const std::uint64_t offset : step.saved) {
        p.saved.push_back(at(offset));
    }
    p.launch.struct_size = sizeof(sluice_launch);
    p.launch.inputs = p.inputs.data();
    p.launch.outputs = p.outputs.data();
    p.launch.parameters = p.parameters.data();
    p.launch.states = p.states.data();
    p.launch.saved = p.saved.data();
    p.launch.output_gradients = p.output_gradients.data();
    p.launch.input_gradients = p.input_gradients.data();
    p.launch.parameter_gradients = p.parameter_gradients.data();
    p.launch.workspace = at(workspace);
    p.launch.stream = context_.stream;
    p.launch.scalars = context_.scalars;
    p.launch.threads = context_.threads;
    p.launch.replicas = context_.replicas;
    p.launch.random_seed = context_.seed;
    p.launch.random_stream = step.random_stream;
}

void Executor::check_for_lost_replicas() const {
    if (context_.checks_for_lost_replicas) {
        throw_if_replica_lost();
    }
}

void Executor::forward(std::uint32_t parameters_version) {
    if (context_.callback != nullptr) {
        context_.callback->pass_begins();
    }
    const bool records = spans_.begin_pass();
    for (std::size_t s = 0; s < plan_.steps.size(); ++s) {
        check_for_lost_replicas();
        forward_[s].launch.parameters_version = parameters_version;
        plan_.steps[s].kernel.forward(forward_[s].launch);
        if (records) {
            spans_.forward_ended(s);
        }
        if (context_.callback != nullptr) {
            context_.callback->launch_ended({plan::Direction::forward, s});
        }
    }
}

void Executor::backward(std::uint32_t parameters_version, bool accumulate, const Filled& filled) {
    if (context_.callback != nullptr) {
        context_.callback->pass_begins();
    }
    const bool records = spans_.begin_pass();
    for (std::size_t i = 0; i < plan_.launches.size(); ++i) {
        const plan::Launch& launch = plan_.launches[i];
        const std::size_t s = launch.step;
        if (launch.direction == plan::Direction::forward) {
            continue;
        }
        check_for_lost_replicas();
        if (launch.direction == plan::Direction::recompute) {
            recompute_[s].launch.parameters_version = parameters_version;
            plan_.steps[s].kernel.forward(recompute_[s].launch);
        } else {
            backward_[s].launch.parameters_version = parameters_version;
            backward_[s].launch.accumulate_parameters = accumulate ? 1 : 0;
            plan_.steps[s].kernel.backward(backward_[s].launch);
        }
        if (records) {
            spans_.ended(i);
        }
        if (context_.callback != nullptr) {
            context_.callback->launch_ended(launch);
        }
        if (filled && launch.direction == plan::Direction::backward) {
            filled(filled_[i]);
        }
    }
}

std::optional<std::string> Executor::first_not_finite(
    std::uint32_t parameters_version, const std::function<std::span<const float>(plan::TensorId)>& read) {
    for (std::size_t s = 0; s < plan_.steps.size(); ++s) {
        const plan::Step& step = plan_.steps[s];
        forward_[s].launch.parameters_version = parameters_version;
        step.kernel.forward(forward_[s].launch);
        const plan::TensorId out = step.outputs.front();
        if (is_float(plan_.graph.tensors[out].spec.dtype) &&
            !std::ranges::all_of(read(out), [](float value) { return std::isfinite(value); })) {
            return plan_.graph.nodes[step.nodes.back()].path;
        }
    }
    return std::nullopt;
}

}  // namespace sluice::run
