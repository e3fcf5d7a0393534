// A plan is made with a toolbox: the registry, the opened device, the kernel providers in fallback order, and the
// precision policies.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "config/spec.hpp"
#include "registry/loading/registry.hpp"
#include "registry/objects/device.hpp"
#include "registry/objects/kernel.hpp"
#include "registry/objects/precision.hpp"
#include "registry/objects/tuning_cache.hpp"

namespace sluice::plan {

struct Policy {
    std::string name;
    Origin origin;  // where the pipeline names it first
    std::unique_ptr<registry::Precision> precision;
    std::string chosen = {};  // the candidate that `precision` belongs to; empty: the policy itself
};

struct Toolbox {
    const registry::Registry* registry = nullptr;
    std::shared_ptr<const registry::Device> device;
    config::ComponentSpec device_spec;  // which of the pipeline's devices it is
    std::vector<registry::KernelProvider> providers;
    std::vector<Policy> policies;                    // the pipeline's own, then those of single layers
    std::optional<std::size_t> measured;             // index of the policy that measures candidates, such as auto
    std::shared_ptr<registry::TuningCache> choices;  // tuned kernels of this run
    std::shared_ptr<std::mutex> planning = std::make_shared<std::mutex>();  // held while planning with `choices`
    std::uint32_t replicas_sharing_memory = 1;                              // replicas that share the device's memory
    bool deterministic = true;
};

// All installed providers, for any device, in the fallback order for pipelines that name none: Sluice's own first, the
// reference last.
std::vector<config::ComponentSpec> installed_providers(const registry::Registry& registry);

// Opens the first device of `spec.devices` that works, and the providers for it. The log reports why the devices before
// it do not work. Providers that are only for other devices are skipped. If the pipeline names no providers, one that
// cannot be opened is left out with a warning. Throws OutOfResources instead if the process lacks memory for it.
Toolbox open_toolbox(const config::PipelineSpec& spec, const registry::Registry& registry);
// Opens a toolbox for a further replica, on device number `index` of the same kind; all replicas share one CPU. It
// shares the tuned kernels of `first`.
Toolbox open_toolbox_for_replica(const Toolbox& first, const config::PipelineSpec& spec, std::uint32_t index);

}  // namespace sluice::plan
