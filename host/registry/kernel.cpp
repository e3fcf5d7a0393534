// Kernel providers and the kernels that they plan.
#include <fmt/format.h>

#include "registry/objects.hpp"
#include "registry/sink.hpp"
#include "registry/verdict.hpp"

namespace sluice::registry {
namespace {

// Copies what plan() asks for.
class NeedsSink {
public:
    explicit NeedsSink(const Component& component) : component_(component) {}
    [[nodiscard]] const sluice_kernel_sink* abi() const { return &abi_; }

    Fence fence;
    KernelNeeds needs;

private:
    static NeedsSink& from(const sluice_kernel_sink* sink) { return *static_cast<NeedsSink*>(sink->impl); }

    static void on_saved(const sluice_kernel_sink* sink, std::uint64_t bytes) noexcept {
        from(sink).fence.run([&] { from(sink).needs.saved.push_back(bytes); });
    }
    static void on_workspace(const sluice_kernel_sink* sink, std::uint64_t bytes) noexcept {
        from(sink).needs.workspace = bytes;
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

    void mark(std::uint64_t& bits, std::uint32_t index, const char* what) const {
        if (index >= 64) {
            misbehaves(component_, fmt::format("backward reads {} number {}", what, index));
        }
        bits |= std::uint64_t{1} << index;
    }

    const Component& component_;
    const sluice_kernel_sink abi_{this, on_saved, on_workspace, on_reads_input, on_reads_output, on_note};
};

// A kernel cannot read what its chain does not have.
void check_reads(const Component& component, std::uint64_t bits, std::uint64_t present, const char* what) {
    if (present < 64 && (bits >> present) != 0) {
        misbehaves(component, fmt::format("backward reads {}s that are not there; the chain has {}", what, present));
    }
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
    sluice_error error{};
    const sluice_status status =
        object_->table()->supports(object_->self(), chain.data(), static_cast<std::uint32_t>(chain.size()), &error);
    if (status == SLUICE_OK) {
        return std::nullopt;
    }
    if (status != SLUICE_UNSUPPORTED) {
        throw_status(object_->component(), fmt::format("kernel '{}': supports()", name()), status, error);
    }
    error.message[sizeof(error.message) - 1] = '\0';
    return error.message[0] != '\0' ? error.message : "it gave no reason";
}

std::optional<Kernel> KernelProvider::plan(std::span<const sluice_node> chain, const std::string& where,
                                           std::string& refusal) const {
    const Component& component = object_->component();
    NeedsSink sink(component);
    sluice_error error{};
    void* made = nullptr;
    const sluice_status status = object_->table()->plan(
        object_->self(), chain.data(), static_cast<std::uint32_t>(chain.size()), sink.abi(), &made, &error);
    // Owned first, so that it is released when what follows throws.
    Kernel kernel(object_, status == SLUICE_OK ? made : nullptr, std::move(sink.needs), where);
    sink.fence.rethrow();
    if (status == SLUICE_UNSUPPORTED) {
        refusal = error.message;
        return std::nullopt;
    }
    if (status != SLUICE_OK) {
        throw_status(component, where, status, error);
    }
    check_reads(component, kernel.needs().reads_inputs, inputs_from_outside(chain), "input");
    check_reads(component, kernel.needs().reads_outputs, chain.back().output_count, "output");
    return kernel;
}

Kernel::Kernel(std::shared_ptr<Object<sluice_kernel>> provider, void* kernel, KernelNeeds needs, std::string where)
    : provider_(std::move(provider)), kernel_(kernel), needs_(std::move(needs)), where_(std::move(where)) {}

Kernel::~Kernel() {
    if (kernel_ != nullptr) {
        provider_->table()->release(provider_->self(), kernel_);
    }
}

Kernel::Kernel(Kernel&& other) noexcept
    : provider_(std::move(other.provider_)),
      kernel_(std::exchange(other.kernel_, nullptr)),
      needs_(std::move(other.needs_)),
      where_(std::move(other.where_)) {}

// Called every step: nothing is allocated unless it fails.
void Kernel::forward(const sluice_launch& launch) const {
    sluice_error error;
    error.message[0] = error.file[0] = '\0';
    if (const sluice_status status = provider_->table()->forward(kernel_, &launch, &error); status != SLUICE_OK) {
        throw_status(provider_->component(), where_ + ": forward", status, error);
    }
}

void Kernel::backward(const sluice_launch& launch) const {
    sluice_error error;
    error.message[0] = error.file[0] = '\0';
    if (const sluice_status status = provider_->table()->backward(kernel_, &launch, &error); status != SLUICE_OK) {
        throw_status(provider_->component(), where_ + ": backward", status, error);
    }
}

}  // namespace sluice::registry
