#include "plan/toolbox.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/process_place.hpp"

namespace sluice::plan {
namespace {

constexpr const char* kReference = "reference";  // provider of plain loops, against which all other kernels are checked

// Processes on one machine take its devices in turn, if each process sees all devices.
std::uint32_t device_number(const config::PipelineSpec& spec, std::uint32_t replica, std::uint32_t count) {
    const Value* const replicas = spec.strategy.options.find("replicas");
    const std::int64_t of_process = replicas != nullptr && replicas->as_int() != nullptr ? *replicas->as_int() : 1;
    const auto in_turn = static_cast<std::uint32_t>(process_place().local_rank * of_process) + replica;
    return in_turn < count ? in_turn : replica;
}

std::shared_ptr<const registry::Device> open_one(const config::ComponentSpec& wanted,
                                                 const registry::Registry& registry, const config::PipelineSpec& spec,
                                                 std::uint32_t replica) {
    const registry::Component component = registry.find(registry::Kind::device, wanted.use, wanted.origin);
    const std::uint32_t count = registry::Device::count(component);
    if (count == 0) {
        throw Error(Exit::device, fmt::format("device '{}' cannot be used: there is none in this machine", wanted.use));
    }
    const std::uint32_t index = device_number(spec, replica, count);
    if (index >= count) {
        throw Error(Exit::device, fmt::format("device '{}': number {} is needed, but there are only {}; lower "
                                              "strategy.replicas",
                                              wanted.use, index + 1, count));
    }
    return std::make_shared<registry::Device>(component, registry.options(component, wanted), index);
}

void open_device(const config::PipelineSpec& spec, Toolbox& tools) {
    std::string reasons;
    const auto pass_over = [&](const Error& error) {
        reasons += (reasons.empty() ? "" : "; ") + std::string(error.what());
    };
    for (const config::ComponentSpec& wanted : spec.devices) {
        try {
            tools.device = open_one(wanted, *tools.registry, spec, 0);
            tools.device_spec = wanted;
            if (!reasons.empty()) {
                log::info(fmt::format("{}; '{}' is used instead", reasons, wanted.use));
            }
            return;
        } catch (const OutOfMemory& error) {  // such as a GPU whose memory other processes use
            pass_over(error);
        } catch (const OutOfResources&) {
            throw;
        } catch (const Error& error) {
            if (error.exit() == Exit::config && spec.devices.size() == 1) {
                throw;
            }
            pass_over(error);
        }
    }
    throw Error(Exit::device, reasons);
}

// False if all providers of that name are for other kinds of devices.
bool may_serve(const registry::Registry& registry, const std::string& name, const std::string& device) {
    bool is_known = false;
    for (const registry::ComponentManifest* manifest : registry.list(registry::Kind::kernel)) {
        if (manifest->provides == name) {
            if (manifest->device.empty() || manifest->device == device) {
                return true;
            }
            is_known = true;
        }
    }
    return !is_known;
}

[[noreturn]] void fail_without_kernels(const config::PipelineSpec& spec, const Toolbox& tools) {
    std::vector<std::string> names;
    for (const registry::ComponentManifest* manifest : tools.registry->list(registry::Kind::kernel)) {
        if (manifest->device.empty() || manifest->device == tools.device->kind()) {
            names.push_back("'" + manifest->provides + "'");
        }
    }
    throw Error(Exit::config,
                fmt::format("{}device.kernels names no kernels for device '{}'; installed for it: {}",
                            spec.kernels.empty() ? "" : to_string(spec.kernels.front().origin) + ": ",
                            tools.device->kind(), names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
}

void open_providers(const config::PipelineSpec& spec, Toolbox& tools) {
    const std::string device = tools.device->kind();
    const bool is_named = !spec.kernels.empty();
    for (const config::ComponentSpec& wanted : is_named ? spec.kernels : installed_providers(*tools.registry)) {
        if (!may_serve(*tools.registry, wanted.use, device)) {
            continue;
        }
        try {
            const registry::Component component =
                tools.registry->find(registry::Kind::kernel, wanted.use, wanted.origin, device);
            tools.providers.emplace_back(component, tools.registry->options(component, wanted), *tools.device);
        } catch (const OutOfResources&) {
            throw;  // slow kernels in place of these would hide the lack
        } catch (const Error& error) {
            if (wanted.origin.kind != Origin::Kind::built_in) {
                throw;
            }
            log::warn(fmt::format("kernels '{}' are not used: {}", wanted.use, error.what()));
        }
    }
    if (tools.providers.empty()) {
        fail_without_kernels(spec, tools);
    }
    if (!is_named && tools.providers.size() == 1 && tools.providers.front().name() == kReference) {
        log::warn(fmt::format("device '{}' has only the kernels '{}', which are slow", device, kReference));
    }
}

void open_policy(const config::ComponentSpec& wanted, Toolbox& tools) {
    const registry::Component policy = tools.registry->find(registry::Kind::precision, wanted.use, wanted.origin);
    tools.policies.push_back(
        {wanted.use, wanted.origin,
         std::make_unique<registry::Precision>(policy, tools.registry->options(policy, wanted), wanted.origin)});
    if (tools.policies.back().precision->traits().candidates.len == 0) {
        return;
    }
    if (tools.measured) {
        throw Error(Exit::config,
                    fmt::format("{}: '{}' and '{}' both choose a policy by measuring; only one such policy is allowed",
                                to_string(wanted.origin), tools.policies[*tools.measured].name, wanted.use));
    }
    tools.measured = tools.policies.size() - 1;
}

// A policy of single layers has its default options, unless it is the pipeline's own policy.
void open_policies(const config::PipelineSpec& spec, Toolbox& tools) {
    open_policy(spec.precision, tools);
    const auto open_once = [&](const std::string& use, const Origin& origin) {
        if (!use.empty() && std::ranges::find(tools.policies, use, &Policy::name) == tools.policies.end()) {
            open_policy({use, origin, {}}, tools);
        }
    };
    for (const config::PrecisionRule& rule : spec.precision_rules) {
        open_once(rule.use, rule.origin);
    }
    config::visit_layers(spec.model.layers,
                         [&](const config::LayerSpec& layer) { open_once(layer.precision, layer.precision_origin); });
}

}  // namespace

std::vector<config::ComponentSpec> installed_providers(const registry::Registry& registry) {
    const auto rank = [](const registry::ComponentManifest* manifest) {
        return manifest->provides == kReference ? 2 : manifest->id.starts_with("sluice.") ? 0 : 1;
    };
    std::vector<const registry::ComponentManifest*> manifests = registry.list(registry::Kind::kernel);
    std::ranges::stable_sort(manifests, {}, rank);
    std::vector<config::ComponentSpec> providers;
    for (const registry::ComponentManifest* manifest : manifests) {
        if (std::ranges::find(providers, manifest->provides, &config::ComponentSpec::use) == providers.end()) {
            providers.push_back({.use = manifest->provides, .origin = {}, .options = {}});
        }
    }
    return providers;
}

Toolbox open_toolbox(const config::PipelineSpec& spec, const registry::Registry& registry) {
    Toolbox tools;
    tools.registry = &registry;
    tools.deterministic = spec.deterministic;
    tools.choices = std::make_shared<registry::TuningCache>(registry::TuningCache::default_file(), spec.measure);
    open_device(spec, tools);
    open_providers(spec, tools);
    open_policies(spec, tools);
    return tools;
}

Toolbox open_toolbox_for_replica(const Toolbox& first, const config::PipelineSpec& spec, std::uint32_t index) {
    Toolbox tools;
    tools.registry = first.registry;
    tools.deterministic = first.deterministic;
    tools.choices = first.choices;
    tools.planning = first.planning;
    tools.replicas_sharing_memory = first.replicas_sharing_memory;
    tools.device_spec = first.device_spec;
    tools.device = open_one(first.device_spec, *tools.registry, spec, first.device->is_host_memory() ? 0 : index);
    open_providers(spec, tools);
    open_policies(spec, tools);
    return tools;
}

}  // namespace sluice::plan
