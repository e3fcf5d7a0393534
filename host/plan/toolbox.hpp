// What a plan is made with: the registry, the opened device, the kernel providers in the order in which they are
// asked, and the precision policies.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/spec.hpp"
#include "registry/objects.hpp"
#include "registry/registry.hpp"

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
    std::vector<registry::KernelProvider> providers;
    std::vector<Policy> policies;                // the pipeline's own, then those of single layers
    std::optional<std::size_t> measured;         // the policy that stands for one of several candidates, such as auto
    std::unique_ptr<registry::Choices> choices;  // of this run
    bool deterministic = true;
};

// Opens the first device of `spec.devices` that works (the log says why the ones before it do not) and the providers
// for it. A provider of the default list that is not installed is left out with a warning; one that the user named is
// an error.
Toolbox open_toolbox(const config::PipelineSpec& spec, const registry::Registry& registry);

}  // namespace sluice::plan
