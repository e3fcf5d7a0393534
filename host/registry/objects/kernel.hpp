// Kernel providers and the kernels that they plan (kind/kernel.h).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "registry/objects/device.hpp"
#include "registry/objects/object.hpp"
#include "registry/objects/tuning_cache.hpp"
#include "sluice/kind/kernel.h"

namespace sluice::registry {

// An input and an output of a launch that may share memory.
struct InPlace {
    std::uint32_t input = 0;
    std::uint32_t output = 0;
};

// Holds what a kernel asked for in plan().
struct KernelNeeds {
    std::vector<std::uint64_t> saved;  // bytes of each tensor saved for backward
    std::uint64_t workspace = 0;       // bytes
    std::uint64_t reads_inputs = 0;    // bit i: backward reads input i
    std::uint64_t reads_outputs = 0;   // bit i: backward reads output i
    // Pairs of the same size that may share memory: input and output of forward, output and input gradient of backward.
    std::vector<InPlace> in_place;
    std::vector<InPlace> in_place_gradients;
    std::optional<sluice_dtype> computes_in;         // set if it differs from the type that the nodes ask for
    std::optional<sluice_dtype> rounded_parameters;  // launches also get the parameters rounded to this type
    std::string note;
    // Floating-point operations that forward and backward really do; empty: as the layers define.
    std::optional<double> forward_flop;
    std::optional<double> backward_flop;
};

// Passed to plan(); must outlive the call.
struct PlanInputs {
    const sluice_threads* threads = nullptr;  // NULL on devices other than the CPU
    TuningCache* choices = nullptr;
};

class Kernel;

class KernelProvider {
public:
    KernelProvider(const Component& component, const Table& options, const Device& device);
    // Returns the reason if the provider does not support the chain; nothing if it does.
    [[nodiscard]] std::optional<std::string> refuses(std::span<const sluice_node> chain) const;
    // Returns nothing and sets `refusal` to the reason if plan() returns SLUICE_UNSUPPORTED after all.
    [[nodiscard]] std::optional<Kernel> plan(std::span<const sluice_node> chain, const std::string& where,
                                             const PlanInputs& plan_inputs, std::string& refusal) const;
    [[nodiscard]] std::string name() const { return object_->component().manifest->provides; }
    // Name with component id and plugin version, for messages.
    [[nodiscard]] const std::string& label() const { return object_->component().label; }

private:
    friend class Kernel;
    std::shared_ptr<Object<sluice_kernel>> object_;
};

class Kernel {
public:
    Kernel(std::shared_ptr<Object<sluice_kernel>> provider, void* kernel, KernelNeeds needs, std::string where);
    ~Kernel();
    Kernel(Kernel&& other) noexcept;
    [[nodiscard]] const KernelNeeds& needs() const { return needs_; }
    [[nodiscard]] std::string provider() const { return provider_->component().manifest->provides; }
    void forward(const sluice_launch& launch) const;
    void backward(const sluice_launch& launch) const;

private:
    std::shared_ptr<Object<sluice_kernel>> provider_;
    void* kernel_;
    KernelNeeds needs_;
    std::string where_;
};

}  // namespace sluice::registry
