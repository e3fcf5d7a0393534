// Makes kernels for 16-bit activations from kernels for float32: a launch widens its inputs, computes in float32 and
// rounds its outputs. This saves memory, not time.
//
//     if (auto chain = RoundedChain::of(given)) { ... refuses(chain->wide()) ... make_rounded(*chain, sink, plan) }
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "sluice/sdk/half.hpp"
#include "sluice/sdk/kernel.hpp"

namespace sluice::sdk {

// A chain with 16-bit tensors, and the same chain in float32.
class RoundedChain {
public:
    // Returns nothing if no tensor has 16 bits.
    static std::unique_ptr<RoundedChain> of(const Chain& chain) {
        std::unique_ptr<RoundedChain> made(new RoundedChain(chain));
        if (!made->is_narrow_) {
            made.reset();
        }
        return made;
    }

    [[nodiscard]] Chain wide() const { return {pointers_.data(), static_cast<std::uint32_t>(pointers_.size())}; }

    // The stored form of a tensor of the launch.
    struct Stored {
        sluice_dtype dtype{};
        std::int64_t count = 0;
        bool adds_gradient = false;
        [[nodiscard]] bool is_narrow() const { return is_16_bit_float(dtype); }
        [[nodiscard]] std::uint64_t wide_bytes() const {
            return (static_cast<std::uint64_t>(count) * sizeof(float) + 63) / 64 * 64;
        }
    };
    [[nodiscard]] const std::vector<Stored>& inputs() const { return inputs_; }
    [[nodiscard]] const std::vector<Stored>& outputs() const { return outputs_; }

private:
    explicit RoundedChain(const Chain& chain) {
        for (std::size_t n = 0; n < chain.size(); ++n) {
            const sluice_node& node = chain[n].get();
            for (std::uint32_t i = 0; i < node.input_count; ++i) {
                if (static_cast<std::int32_t>(i) != node.chained_input) {
                    inputs_.push_back(stored(node.inputs[i], (node.accumulated_gradients >> i & 1) != 0));
                }
            }
            widen_node(node);
        }
        for (const sluice_node& node : nodes_) {
            pointers_.push_back(&node);
        }
        const sluice_node& last = chain[chain.size() - 1].get();
        for (std::uint32_t i = 0; i < last.output_count; ++i) {
            outputs_.push_back(stored(last.outputs[i], false));
        }
    }

    static Stored stored(const sluice_tensor_spec& spec, bool adds) { return {spec.dtype, element_count(spec), adds}; }

    // 16-bit gradients are accumulated while they are rounded, so the wide node overwrites its gradient.
    void widen_node(const sluice_node& node) {
        sluice_node& wide = nodes_.emplace_back(node);
        wide.inputs = widened(node.inputs, node.input_count);
        wide.outputs = widened(node.outputs, node.output_count);
        wide.compute = wide.accumulate = kFloat32;
        std::uint64_t kept = 0;
        for (std::uint32_t i = 0; i < node.input_count; ++i) {
            kept |= is_16_bit_float(node.inputs[i].dtype) ? 0 : node.accumulated_gradients & std::uint64_t{1} << i;
        }
        wide.accumulated_gradients = kept;
    }

    const sluice_tensor_spec* widened(const sluice_tensor_spec* specs, std::uint32_t count) {
        std::vector<sluice_tensor_spec>& wide = specs_.emplace_back(specs, specs + count);
        for (sluice_tensor_spec& spec : wide) {
            if (is_16_bit_float(spec.dtype)) {
                spec.dtype = kFloat32;
                is_narrow_ = true;
            }
        }
        return wide.data();
    }

    bool is_narrow_ = false;
    std::vector<sluice_node> nodes_;
    std::vector<const sluice_node*> pointers_;            // to the elements of nodes_
    std::vector<std::vector<sluice_tensor_spec>> specs_;  // moved, never copied: nodes_ points into them
    std::vector<Stored> inputs_;
    std::vector<Stored> outputs_;
};

// Collects the needs of the float32 kernel and passes them on to the host's sink.
class WideNeeds {
public:
    explicit WideNeeds(const KernelSink& sink) : outer_(sink.get()) {}
    [[nodiscard]] KernelSink sink() const { return KernelSink(&abi_); }
    [[nodiscard]] std::uint64_t workspace() const { return workspace_; }
    [[nodiscard]] bool reads_input(std::size_t index) const { return (inputs_ >> index & 1) != 0; }
    [[nodiscard]] bool reads_output(std::size_t index) const { return (outputs_ >> index & 1) != 0; }
    [[nodiscard]] std::string_view note() const { return note_; }

private:
    static WideNeeds& self(const sluice_kernel_sink* sink) { return *static_cast<WideNeeds*>(sink->impl); }

    const sluice_kernel_sink* outer_;
    std::uint64_t workspace_ = 0;
    std::uint64_t inputs_ = 0;
    std::uint64_t outputs_ = 0;
    std::string note_;
    // Launches round into other memory than they read from, so the may_overwrite reports are not passed to the host.
    const sluice_kernel_sink abi_{
        .struct_size = sizeof(sluice_kernel_sink),
        .impl = this,
        .threads = outer_->threads,
        .may_measure = outer_->may_measure,
        .reserved = 0,
        .add_saved = [](const sluice_kernel_sink* sink,
                        std::uint64_t bytes) noexcept { self(sink).outer_->add_saved(self(sink).outer_, bytes); },
        .set_workspace = [](const sluice_kernel_sink* sink,
                            std::uint64_t bytes) noexcept { self(sink).workspace_ = (bytes + 63) / 64 * 64; },
        .backward_reads_input =
            [](const sluice_kernel_sink* sink, std::uint32_t index) noexcept {
                self(sink).inputs_ |= std::uint64_t{1} << index;
                self(sink).outer_->backward_reads_input(self(sink).outer_, index);
            },
        .backward_reads_output =
            [](const sluice_kernel_sink* sink, std::uint32_t index) noexcept {
                self(sink).outputs_ |= std::uint64_t{1} << index;
                self(sink).outer_->backward_reads_output(self(sink).outer_, index);
            },
        .set_note = [](const sluice_kernel_sink* sink, sluice_text note) noexcept { self(sink).note_ = view(note); },
        .may_overwrite = [](const sluice_kernel_sink*, std::uint32_t, std::uint32_t) noexcept {},
        .may_overwrite_gradient = [](const sluice_kernel_sink*, std::uint32_t, std::uint32_t) noexcept {},
        .recall = [](const sluice_kernel_sink* sink,
                     sluice_text key) noexcept { return self(sink).outer_->recall(self(sink).outer_, key); },
        .remember = [](const sluice_kernel_sink* sink, sluice_text key,
                       sluice_text choice) noexcept { self(sink).outer_->remember(self(sink).outer_, key, choice); },
        .computes_in = [](const sluice_kernel_sink*, sluice_dtype) noexcept {},
        .reads_rounded_parameters =
            [](const sluice_kernel_sink* sink, sluice_dtype dtype) noexcept {
                self(sink).outer_->reads_rounded_parameters(self(sink).outer_, dtype);
            },
        .set_arithmetic =
            [](const sluice_kernel_sink* sink, double forward, double backward) noexcept {
                KernelSink(self(sink).outer_).arithmetic(forward, backward);
            }};
};

class RoundedKernel : public Kernel {
public:
    // Plans the chain in float32.
    using Plan = std::function<std::unique_ptr<Kernel>(const Chain& chain, const KernelSink& sink)>;

    RoundedKernel(const RoundedChain& chain, const KernelSink& sink, const Plan& plan)
        : inputs_(chain.inputs()), outputs_(chain.outputs()) {
        WideNeeds needs(sink);
        kernel_ = plan(chain.wide(), needs.sink());
        std::uint64_t used = needs.workspace();
        const auto place = [&](const std::vector<RoundedChain::Stored>& tensors, std::vector<std::uint64_t>& offsets) {
            for (const RoundedChain::Stored& tensor : tensors) {
                offsets.push_back(used);
                used += tensor.is_narrow() ? tensor.wide_bytes() : 0;
            }
        };
        place(inputs_, input_offsets_);
        place(outputs_, output_offsets_);
        place(inputs_, input_gradient_offsets_);
        place(outputs_, output_gradient_offsets_);
        sink.workspace(used);
        sink.computes_in(kFloat32);
        sink.note(std::string(needs.note()) + ", rounded");
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            reads_inputs_.push_back(needs.reads_input(i));
        }
        for (std::size_t i = 0; i < outputs_.size(); ++i) {
            reads_outputs_.push_back(needs.reads_output(i));
        }
        wide_inputs_.resize(inputs_.size());
        wide_outputs_.resize(outputs_.size());
        wide_input_gradients_.resize(inputs_.size());
        wide_output_gradients_.resize(outputs_.size());
    }

    void forward(const sluice_launch& launch) override {
        sluice_launch wide = launch;
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            wide_inputs_[i] = widened(launch, inputs_[i], launch.inputs[i], input_offsets_[i]);
        }
        for (std::size_t i = 0; i < outputs_.size(); ++i) {
            wide_outputs_[i] = room(launch, outputs_[i], launch.outputs[i], output_offsets_[i]);
        }
        wide.inputs = wide_inputs_.data();
        wide.outputs = wide_outputs_.data();
        kernel_->forward(wide);
        for (std::size_t i = 0; i < outputs_.size(); ++i) {
            rounded(launch, outputs_[i], wide_outputs_[i], launch.outputs[i], false);
        }
    }

    void backward(const sluice_launch& launch) override {
        sluice_launch wide = launch;
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            wide_inputs_[i] =
                reads_inputs_[i] ? widened(launch, inputs_[i], launch.inputs[i], input_offsets_[i]) : nullptr;
            wide_input_gradients_[i] = room(launch, inputs_[i], launch.input_gradients[i], input_gradient_offsets_[i]);
        }
        for (std::size_t i = 0; i < outputs_.size(); ++i) {
            wide_outputs_[i] =
                reads_outputs_[i]
                    ? const_cast<void*>(widened(launch, outputs_[i], launch.outputs[i], output_offsets_[i]))
                    : nullptr;
            wide_output_gradients_[i] =
                widened(launch, outputs_[i], launch.output_gradients[i], output_gradient_offsets_[i]);
        }
        wide.inputs = wide_inputs_.data();
        wide.outputs = wide_outputs_.data();
        wide.input_gradients = wide_input_gradients_.data();
        wide.output_gradients = wide_output_gradients_.data();
        kernel_->backward(wide);
        // Two inputs may be the same tensor, so gradients that overwrite come before those that are added.
        for (const bool adds : {false, true}) {
            for (std::size_t i = 0; i < inputs_.size(); ++i) {
                if (inputs_[i].adds_gradient == adds) {
                    rounded(launch, inputs_[i], wide_input_gradients_[i], launch.input_gradients[i], adds);
                }
            }
        }
    }

private:
    static constexpr std::int64_t kGrain = 16384;  // elements

    using Stored = RoundedChain::Stored;

    static float* at(const sluice_launch& launch, std::uint64_t offset) {
        return reinterpret_cast<float*>(static_cast<char*>(launch.workspace) + offset);
    }

    // Returns the memory in which the float32 kernel writes the tensor that belongs into `data`.
    static void* room(const sluice_launch& launch, const Stored& stored, void* data, std::uint64_t offset) {
        return data == nullptr || !stored.is_narrow() ? data : at(launch, offset);
    }

    static const void* widened(const sluice_launch& launch, const Stored& stored, const void* data,
                               std::uint64_t offset) {
        if (data == nullptr || !stored.is_narrow()) {
            return data;
        }
        const auto* from = static_cast<const std::uint16_t*>(data);
        float* to = at(launch, offset);
        parallel_for(launch.threads, stored.count, kGrain, [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
            widen(stored.dtype, from + begin, to + begin, end - begin);
        });
        return to;
    }

    static void rounded(const sluice_launch& launch, const Stored& stored, void* wide, void* data, bool adds) {
        if (data == nullptr || !stored.is_narrow()) {
            return;
        }
        auto* from = static_cast<float*>(wide);
        auto* to = static_cast<std::uint16_t*>(data);
        parallel_for(launch.threads, stored.count, kGrain, [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
            if (adds) {
                add_to(stored.dtype, to + begin, from + begin, end - begin);
            }
            narrow(from + begin, stored.dtype, to + begin, end - begin);
        });
    }

    // Adds the stored numbers to `sums`.
    static void add_to(sluice_dtype dtype, const std::uint16_t* numbers, float* sums, std::int64_t count) {
        constexpr std::int64_t kBlock = 256;
        float block[kBlock];
        for (std::int64_t begin = 0; begin < count; begin += kBlock) {
            const std::int64_t length = std::min(kBlock, count - begin);
            widen(dtype, numbers + begin, block, length);
            for (std::int64_t i = 0; i < length; ++i) {
                sums[begin + i] += block[i];
            }
        }
    }

    std::vector<Stored> inputs_;
    std::vector<Stored> outputs_;
    std::unique_ptr<Kernel> kernel_;
    std::vector<std::uint64_t> input_offsets_;
    std::vector<std::uint64_t> output_offsets_;
    std::vector<std::uint64_t> input_gradient_offsets_;
    std::vector<std::uint64_t> output_gradient_offsets_;
    std::vector<bool> reads_inputs_;
    std::vector<bool> reads_outputs_;
    // Pointers of one launch; launches of one kernel never overlap.
    std::vector<const void*> wide_inputs_;
    std::vector<void*> wide_outputs_;
    std::vector<void*> wide_input_gradients_;
    std::vector<const void*> wide_output_gradients_;
};

}  // namespace sluice::sdk
