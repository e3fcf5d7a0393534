// Base classes of kernel providers. A provider claims chains and makes a Kernel for each; a Kernel computes forward and
// backward.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sluice/kind/kernel.h"
#include "sluice/sdk/host.hpp"
#include "sluice/sdk/options.hpp"
#include "sluice/sdk/tensor.hpp"

namespace sluice::sdk {

// One node of a chain; valid during supports() and plan() only.
class Node {
public:
    explicit Node(const sluice_node& node) : node_(&node) {}
    [[nodiscard]] std::string_view type() const { return view(node_->type); }
    [[nodiscard]] std::string_view path() const { return view(node_->path); }
    [[nodiscard]] Options options() const { return Options(node_->options); }
    [[nodiscard]] std::span<const sluice_tensor_spec> inputs() const { return {node_->inputs, node_->input_count}; }
    [[nodiscard]] std::span<const sluice_tensor_spec> outputs() const { return {node_->outputs, node_->output_count}; }
    [[nodiscard]] std::span<const sluice_tensor_spec> parameters() const {
        return {node_->parameters, node_->parameter_count};
    }
    [[nodiscard]] bool trains() const { return (node_->flags & SLUICE_NODE_TRAIN) != 0; }
    [[nodiscard]] bool deterministic() const { return (node_->flags & SLUICE_NODE_DETERMINISTIC) != 0; }
    [[nodiscard]] bool wants_gradient(std::uint32_t input) const { return (node_->wanted_gradients >> input & 1) != 0; }
    [[nodiscard]] bool accumulates_gradient(std::uint32_t input) const {
        return (node_->accumulated_gradients >> input & 1) != 0;
    }
    [[nodiscard]] std::int32_t chained_input() const { return node_->chained_input; }
    [[nodiscard]] sluice_dtype compute() const { return node_->compute; }
    [[nodiscard]] sluice_dtype accumulate() const { return node_->accumulate; }
    [[nodiscard]] const sluice_node& get() const { return *node_; }

private:
    const sluice_node* node_;
};

// A chain of nodes, first to last.
class Chain {
public:
    Chain(const sluice_node* const* nodes, std::uint32_t count) : nodes_(nodes, count) {}
    [[nodiscard]] std::size_t size() const { return nodes_.size(); }
    [[nodiscard]] Node operator[](std::size_t index) const { return Node(*nodes_[index]); }

private:
    std::span<const sluice_node* const> nodes_;
};

// A kernel states its needs to the host here, during plan().
class KernelSink {
public:
    explicit KernelSink(const sluice_kernel_sink* sink) : sink_(sink) {}
    void saved(std::uint64_t bytes) const { sink_->add_saved(sink_, bytes); }
    void workspace(std::uint64_t bytes) const { sink_->set_workspace(sink_, bytes); }
    void backward_reads_input(std::uint32_t index) const { sink_->backward_reads_input(sink_, index); }
    void backward_reads_output(std::uint32_t index) const { sink_->backward_reads_output(sink_, index); }
    void note(std::string_view text) const { sink_->set_note(sink_, text_of(text)); }
    void may_overwrite(std::uint32_t input, std::uint32_t output) const { sink_->may_overwrite(sink_, input, output); }
    void may_overwrite_gradient(std::uint32_t output, std::uint32_t input) const {
        sink_->may_overwrite_gradient(sink_, output, input);
    }
    // Returns the choice that an earlier plan() remembered; empty: none.
    [[nodiscard]] std::string_view recall(std::string_view key) const {
        return view(sink_->recall(sink_, text_of(key)));
    }
    void remember(std::string_view key, std::string_view choice) const {
        sink_->remember(sink_, text_of(key), text_of(choice));
    }
    // Reports that it computes in another type than the node asks for.
    void computes_in(sluice_dtype dtype) const { sink_->computes_in(sink_, dtype); }
    // Asks for parameters rounded to this 16-bit type as well: see rounded_parameter().
    void reads_rounded_parameters(sluice_dtype dtype) const { sink_->reads_rounded_parameters(sink_, dtype); }
    // Reports the floating-point operations that forward and backward really do, if the host wants to know.
    void arithmetic(double forward, double backward) const {
        if (sink_->struct_size > offsetof(sluice_kernel_sink, set_arithmetic)) {
            sink_->set_arithmetic(sink_, forward, backward);
        }
    }
    [[nodiscard]] const sluice_kernel_sink* get() const { return sink_; }
    [[nodiscard]] bool may_measure() const { return sink_->may_measure != 0; }
    // NULL on devices other than the CPU.
    [[nodiscard]] const sluice_threads* threads() const { return sink_->threads; }

private:
    const sluice_kernel_sink* sink_;
};

// Typed access to a launch's pointers.
template <class T>
const T* input(const sluice_launch& launch, std::size_t i) {
    return static_cast<const T*>(launch.inputs[i]);
}
template <class T>
T* output(const sluice_launch& launch, std::size_t i) {
    return static_cast<T*>(launch.outputs[i]);
}
template <class T>
const T* output_gradient(const sluice_launch& launch, std::size_t i) {
    return static_cast<const T*>(launch.output_gradients[i]);
}
template <class T>
T* input_gradient(const sluice_launch& launch, std::size_t i) {
    return static_cast<T*>(launch.input_gradients[i]);
}
inline const float* parameter(const sluice_launch& launch, std::size_t i) {
    return static_cast<const float*>(launch.parameters[i]);
}
// T is the type that plan() asked for.
template <class T>
const T* rounded_parameter(const sluice_launch& launch, std::size_t i) {
    return static_cast<const T*>(launch.rounded_parameters[i]);
}
inline float* parameter_gradient(const sluice_launch& launch, std::size_t i) {
    return static_cast<float*>(launch.parameter_gradients[i]);
}
inline float* state(const sluice_launch& launch, std::size_t i) { return static_cast<float*>(launch.states[i]); }
template <class T>
T* saved(const sluice_launch& launch, std::size_t i) {
    return static_cast<T*>(launch.saved[i]);
}
inline sluice_random_key random_key(const sluice_launch& launch, std::uint64_t node = 0) {
    return {launch.random_seed, launch.random_stream + node, launch.scalars->random_counter};
}

// All-reduces the values over all replicas. Throws if a replica is lost. `name` is for messages.
inline void sum_over_replicas(const sluice_launch& launch, std::span<double> values, std::string_view name) {
    if (launch.replicas == nullptr) {
        return;
    }
    sluice_error error{};
    const sluice_status status =
        launch.replicas->sum(launch.replicas, values.data(), values.size(), text_of(name), &error);
    if (status != SLUICE_OK) {
        throw Failure(status, error.message);
    }
}

class Kernel {
public:
    virtual ~Kernel() = default;
    virtual void forward(const sluice_launch& launch) = 0;
    virtual void backward(const sluice_launch& launch) = 0;
};

class KernelProvider {
public:
    virtual ~KernelProvider() = default;
    // Returns nothing if it claims the chain, else the reason why not.
    [[nodiscard]] virtual std::optional<std::string> refuses(const Chain& chain) const = 0;
    [[nodiscard]] virtual std::unique_ptr<Kernel> plan(const Chain& chain, const KernelSink& sink) = 0;
};

template <class T>
inline constexpr sluice_kernel kernel_table = {
    .create = [](const sluice_host* host, const sluice_value* options, sluice_device_ref device, void** self,
                 sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { *self = static_cast<KernelProvider*>(new T(Host(host), Options(options), device)); });
    },
    .destroy = [](void* self) noexcept { delete static_cast<KernelProvider*>(self); },
    .supports = [](void* self, const sluice_node* const* chain, std::uint32_t count,
                   sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] {
            constexpr std::uint32_t kKnown = SLUICE_NODE_TRAIN | SLUICE_NODE_DETERMINISTIC;
            for (std::uint32_t i = 0; i < count; ++i) {
                if ((chain[i]->flags & ~kKnown) != 0) {
                    throw Failure(SLUICE_UNSUPPORTED, "the node has a flag of a later version");
                }
            }
            if (auto reason = static_cast<KernelProvider*>(self)->refuses(Chain(chain, count))) {
                throw Failure(SLUICE_UNSUPPORTED, *reason);
            }
        });
    },
    .plan = [](void* self, const sluice_node* const* chain, std::uint32_t count, const sluice_kernel_sink* sink,
               void** kernel, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] {
            *kernel = static_cast<KernelProvider*>(self)->plan(Chain(chain, count), KernelSink(sink)).release();
        });
    },
    .release = [](void*, void* kernel) noexcept { delete static_cast<Kernel*>(kernel); },
    .forward = [](void* kernel, const sluice_launch* launch, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { static_cast<Kernel*>(kernel)->forward(*launch); });
    },
    .backward = [](void* kernel, const sluice_launch* launch, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { static_cast<Kernel*>(kernel)->backward(*launch); });
    },
};

}  // namespace sluice::sdk
