#include "registry/objects/kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <utility>

#include "registry/loading/reported_values.hpp"
#include "registry/objects/exception_fence.hpp"

namespace sluice::registry {
namespace {

// Collects what plan() asks for, and serves recall() and remember() from the tuning cache.
class NeedsSink {
public:
    NeedsSink(const Component& component, const PlanInputs& plan_inputs)
        : component_(component), choices_(*plan_inputs.choices) {
        abi_.threads = plan_inputs.threads;
        abi_.may_measure = choices_.may_measure() ? 1 : 0;
    }
    [[nodiscard]] const sluice_kernel_sink* abi() const { return &abi_; }

    ExceptionFence fence;
    KernelNeeds needs;

private:
    static NeedsSink& from(const sluice_kernel_sink* sink) { return *static_cast<NeedsSink*>(sink->impl); }

    static void on_saved(const sluice_kernel_sink* sink, std::uint64_t bytes) noexcept {
        from(sink).fence.run([&] {
            check_bytes(from(sink).component_, bytes, "what it saves for backward");
            from(sink).needs.saved.push_back(bytes);
        });
    }
    static void on_workspace(const sluice_kernel_sink* sink, std::uint64_t bytes) noexcept {
        from(sink).fence.run([&] {
            check_bytes(from(sink).component_, bytes, "its workspace");
            from(sink).needs.workspace = bytes;
        });
    }
    static void on_reads_input(const sluice_kernel_sink* sink, std::uint32_t index) noexcept {
        from(sink).fence.run([&] { from(sink).mark(from(sink).needs.reads_inputs, index, "input"); });
    }
    static void on_reads_output(const sluice_kernel_sink* sink, std::uint32_t index) noexcept {
        from(sink).fence.run([&] { from(sink).mark(from(sink).needs.reads_outputs, index, "output"); });
    }
    static void on_note(const sluice_kernel_sink* sink, sluice_text note) noexcept {
        from(sink).fence.run([&] { from(sink).needs.note = copy_text(from(sink).component_, note, "note"); });
    }
    static void on_may_overwrite(const sluice_kernel_sink* sink, std::uint32_t input, std::uint32_t output) noexcept {
        from(sink).fence.run([&] { from(sink).needs.in_place.push_back({input, output}); });
    }
    static void on_may_overwrite_gradient(const sluice_kernel_sink* sink, std::uint32_t output,
                                          std::uint32_t input) noexcept {
        from(sink).fence.run([&] { from(sink).needs.in_place_gradients.push_back({input, output}); });
    }
    static sluice_text on_recall(const sluice_kernel_sink* sink, sluice_text key) noexcept {
        sluice_text found{};
        from(sink).fence.run([&] {
            NeedsSink& self = from(sink);
            const std::string name = self.plain_text(key, "key");
            const std::string& choice =
                self.lent_.emplace_back(self.choices_.recall(self.component_.manifest->provides, name));
            found = {choice.data(), choice.size()};
        });
        return found;
    }
    static void on_remember(const sluice_kernel_sink* sink, sluice_text key, sluice_text choice) noexcept {
        from(sink).fence.run([&] {
            NeedsSink& self = from(sink);
            const std::string name = self.plain_text(key, "key");
            self.choices_.remember(self.component_.manifest->provides, name, self.plain_text(choice, "choice"));
        });
    }

    static void on_computes_in(const sluice_kernel_sink* sink, sluice_dtype dtype) noexcept {
        from(sink).fence.run([&] {
            if (!is_known(dtype)) {
                misbehaves(from(sink).component_, fmt::format("computes in an unknown element type (code {}, {} bits)",
                                                              dtype.code, dtype.bits));
            }
            from(sink).needs.computes_in = dtype;
        });
    }

    static void on_reads_rounded_parameters(const sluice_kernel_sink* sink, sluice_dtype dtype) noexcept {
        from(sink).fence.run([&] {
            if (!(dtype == kFloat16 || dtype == kBfloat16)) {
                misbehaves(from(sink).component_,
                           fmt::format("wants parameters rounded to code {}, {} bits; float16 or bfloat16 is needed",
                                       dtype.code, dtype.bits));
            }
            from(sink).needs.rounded_parameters = dtype;
        });
    }

    static void on_set_arithmetic(const sluice_kernel_sink* sink, double forward, double backward) noexcept {
        from(sink).fence.run([&] {
            const auto done = [&](double flop) {
                if (!std::isfinite(flop)) {
                    misbehaves(from(sink).component_, fmt::format("reports {} floating-point operations", flop));
                }
                return flop < 0.0 ? std::nullopt : std::optional(flop);
            };
            from(sink).needs.forward_flop = done(forward);
            from(sink).needs.backward_flop = done(backward);
        });
    }

    // Copies a key or choice. It must be plain text, because the tuning cache file has one line for each.
    [[nodiscard]] std::string plain_text(sluice_text text, const std::string& what) const {
        std::string copy = copy_text(component_, text, what);
        if (copy.empty() || copy != std::string_view(text.ptr, text.len)) {
            misbehaves(component_,
                       fmt::format("a {} for the kernel tuning cache is empty or has control characters", what));
        }
        return copy;
    }

    void mark(std::uint64_t& bits, std::uint32_t index, const char* what) const {
        if (index >= 64) {
            misbehaves(component_,
                       fmt::format("backward reads {} number {}; numbers below 64 are allowed", what, index));
        }
        bits |= std::uint64_t{1} << index;
    }

    const Component& component_;
    TuningCache& choices_;
    std::deque<std::string> lent_;  // texts returned by recall(), kept until the call returns
    sluice_kernel_sink abi_{.struct_size = sizeof(sluice_kernel_sink),
                            .impl = this,
                            .threads = nullptr,
                            .may_measure = 0,
                            .reserved = 0,
                            .add_saved = on_saved,
                            .set_workspace = on_workspace,
                            .backward_reads_input = on_reads_input,
                            .backward_reads_output = on_reads_output,
                            .set_note = on_note,
                            .may_overwrite = on_may_overwrite,
                            .may_overwrite_gradient = on_may_overwrite_gradient,
                            .recall = on_recall,
                            .remember = on_remember,
                            .computes_in = on_computes_in,
                            .reads_rounded_parameters = on_reads_rounded_parameters,
                            .set_arithmetic = on_set_arithmetic};
};

// Checks that all marked inputs or outputs exist in the chain.
void check_reads(const Component& component, std::uint64_t bits, std::uint64_t present, const char* what) {
    if (present < 64 && (bits >> present) != 0) {
        misbehaves(component, fmt::format("backward reads {}s that do not exist; the chain has {}", what, present));
    }
}

// Checks that inputs and outputs that may share memory exist and have the same size.
void check_in_place(const Component& component, std::span<const InPlace> pairs, std::span<const sluice_node> chain) {
    std::vector<std::uint64_t> inputs;
    for (const sluice_node& node : chain) {
        for (std::uint32_t i = 0; i < node.input_count; ++i) {
            if (static_cast<std::int32_t>(i) != node.chained_input) {
                inputs.push_back(byte_count(node.inputs[i]));
            }
        }
    }
    const sluice_node& last = chain.back();
    for (const auto& [input, output] : pairs) {
        if (input >= inputs.size() || output >= last.output_count) {
            misbehaves(component,
                       fmt::format("input {} and output {} may share memory, but the chain has {} inputs and {} "
                                   "outputs",
                                   input, output, inputs.size(), last.output_count));
        }
        if (inputs[input] != byte_count(last.outputs[output])) {
            misbehaves(component, fmt::format("input {} and output {} may share memory, but have {} and {} bytes",
                                              input, output, inputs[input], byte_count(last.outputs[output])));
        }
    }
}

// The ABI passes pointers to nodes, because a struct may have another size in a plugin.
std::vector<const sluice_node*> pointers_to(std::span<const sluice_node> chain) {
    std::vector<const sluice_node*> pointers;
    for (const sluice_node& node : chain) {
        pointers.push_back(&node);
    }
    return pointers;
}

std::uint64_t inputs_from_outside(std::span<const sluice_node> chain) {
    std::uint64_t count = 0;
    for (const sluice_node& node : chain) {
        count += node.input_count - (node.chained_input >= 0 ? 1U : 0U);
    }
    return count;
}

}  // namespace

KernelProvider::KernelProvider(const Component& component, const Table& options, const Device& device)
    : object_(std::make_shared<Object<sluice_kernel>>(make_object<sluice_kernel>(
          component, options, fmt::format("kernel '{}'", component.manifest->provides), device.info().ref))) {}

std::optional<std::string> KernelProvider::refuses(std::span<const sluice_node> chain) const {
    constexpr std::uint64_t kMostInputs = 64;  // bits of KernelNeeds::reads_inputs
    if (const std::uint64_t inputs = inputs_from_outside(chain); inputs > kMostInputs) {
        return fmt::format("the chain has {} inputs; at most {} are supported", inputs, kMostInputs);
    }
    for (const sluice_node& node : chain) {
        if (auto unknown = unknown_option(object_->component().later_options, *object_->component().manifest, node)) {
            return unknown;
        }
    }
    sluice_error error{};
    const std::vector<const sluice_node*> nodes = pointers_to(chain);
    const sluice_status status = enter(object_->component(), object_->table()->supports, object_->self(), nodes.data(),
                                       static_cast<std::uint32_t>(nodes.size()), &error);
    if (status == SLUICE_OK) {
        return std::nullopt;
    }
    if (status != SLUICE_UNSUPPORTED) {
        throw_status(object_->component(), fmt::format("kernel '{}': supports()", name()), status, error);
    }
    return reason_of(error);
}

std::optional<Kernel> KernelProvider::plan(std::span<const sluice_node> chain, const std::string& where,
                                           const PlanInputs& plan_inputs, std::string& refusal) const {
    const Component& component = object_->component();
    NeedsSink sink(component, plan_inputs);
    sluice_error error{};
    void* made = nullptr;
    const std::vector<const sluice_node*> nodes = pointers_to(chain);
    const sluice_status status = enter(component, object_->table()->plan, object_->self(), nodes.data(),
                                       static_cast<std::uint32_t>(nodes.size()), sink.abi(), &made, &error);
    // Takes ownership first, so that the kernel is released if the code below throws.
    Kernel kernel(object_, status == SLUICE_OK ? made : nullptr, std::move(sink.needs), where);
    sink.fence.rethrow();
    if (status == SLUICE_UNSUPPORTED) {
        refusal = reason_of(error);
        return std::nullopt;
    }
    if (status != SLUICE_OK) {
        throw_status(component, where, status, error);
    }
    check_reads(component, kernel.needs().reads_inputs, inputs_from_outside(chain), "input");
    check_reads(component, kernel.needs().reads_outputs, chain.back().output_count, "output");
    check_in_place(component, kernel.needs().in_place, chain);
    check_in_place(component, kernel.needs().in_place_gradients, chain);
    return kernel;
}

Kernel::Kernel(std::shared_ptr<Object<sluice_kernel>> provider, void* kernel, KernelNeeds needs, std::string where)
    : provider_(std::move(provider)), kernel_(kernel), needs_(std::move(needs)), where_(std::move(where)) {}

Kernel::~Kernel() {
    if (kernel_ != nullptr) {
        enter(provider_->component(), provider_->table()->release, provider_->self(), kernel_);
    }
}

Kernel::Kernel(Kernel&& other) noexcept
    : provider_(std::move(other.provider_)),
      kernel_(std::exchange(other.kernel_, nullptr)),
      needs_(std::move(other.needs_)),
      where_(std::move(other.where_)) {}

// Called every step, so it allocates only if it fails.
void Kernel::forward(const sluice_launch& launch) const {
    sluice_error error;
    error.message[0] = error.file[0] = '\0';
    if (const sluice_status status =
            enter(provider_->component(), provider_->table()->forward, kernel_, &launch, &error);
        status != SLUICE_OK) {
        throw_status(provider_->component(), where_ + ": forward", status, error);
    }
}

void Kernel::backward(const sluice_launch& launch) const {
    sluice_error error;
    error.message[0] = error.file[0] = '\0';
    if (const sluice_status status =
            enter(provider_->component(), provider_->table()->backward, kernel_, &launch, &error);
        status != SLUICE_OK) {
        throw_status(provider_->component(), where_ + ": backward", status, error);
    }
}

}  // namespace sluice::registry
