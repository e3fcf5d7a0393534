// What a plan is made with: the registry, the opened device, the kernel providers in the order in which they are
// asked, and the precision policies.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "config/spec.hpp"
#include "registry/loading/registry.hpp"
#include "registry/objects/objects.hpp"

namespace sluice::plan {

struct Policy {
    std::string name;
    Origin origin;  // of what asked for it first
    std::unique_ptr<registry::Precision> precision;
    std::string chosen = {};  // whose `precision` is where it was chosen among candidates
};

struct Toolbox {
    const registry::Registry* registry = nullptr;
    std::shared_ptr<const registry::Device> device;
    config::ComponentSpec device_spec;  // which of the pipeline's devices it is
    std::vector<registry::KernelProvider> providers;
    std::vector<Policy> policies;                // the pipeline's own, then those of single layers
    std::optional<std::size_t> measured;         // the policy that stands for one of several candidates, such as auto
    std::shared_ptr<registry::Choices> choices;  // of this run
    std::shared_ptr<std::mutex> planning = std::make_shared<std::mutex>();  // held by who plans with the choices
    std::uint32_t sharers = 1;                                              // replicas that share the device's memory
    bool deterministic = true;
};

// Every provider that is installed, for whatever device, in the order in which they are asked where a pipeline names
// none: our own, those of others, and the reference last.
std::vector<config::ComponentSpec> installed_providers(const registry::Registry& registry);

// Opens the first device of `spec.devices` that works (the log says why the ones before it do not) and the providers
// for it; those that are for other devices alone are passed over. Where the pipeline names none, one that cannot be
// opened is left out with a warning.
Toolbox open_toolbox(const config::PipelineSpec& spec, const registry::Registry& registry);
// Another one for a further replica, on device number `index` of the same kind; a CPU is the same for all. It shares
// the choices.
Toolbox open_toolbox_beside(const Toolbox& first, const config::PipelineSpec& spec, std::uint32_t index);

}  // namespace sluice::plan
