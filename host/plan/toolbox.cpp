#include "plan/toolbox.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/log.hpp"

namespace sluice::plan {
namespace {

std::shared_ptr<const registry::Device> open_device(const config::PipelineSpec& spec,
                                                    const registry::Registry& registry) {
    std::string reasons;
    for (const config::ComponentSpec& wanted : spec.devices) {
        try {
            const registry::Component component = registry.find(registry::Kind::device, wanted.use, wanted.origin);
            if (registry::Device::count(component) == 0) {
                throw Error(Exit::device, "no device of this kind is in this machine");
            }
            auto device = std::make_shared<registry::Device>(component, registry.options(component, wanted), 0);
            if (!reasons.empty()) {
                log::info(fmt::format("device '{}' is used, because: {}", wanted.use, reasons));
            }
            return device;
        } catch (const Error& error) {
            if (error.exit() == Exit::config && spec.devices.size() == 1) {
                throw;
            }
            reasons += fmt::format("{}'{}' cannot be: {}", reasons.empty() ? "" : "; ", wanted.use, error.what());
        }
    }
    throw Error(Exit::device, "no device can be used: " + reasons);
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
                    fmt::format("{}: '{}' and '{}' are both chosen by measuring; one at most can be",
                                to_string(wanted.origin), tools.policies[*tools.measured].name, wanted.use));
    }
    tools.measured = tools.policies.size() - 1;
}

// A policy of single layers has its options as they are by default, unless it is the pipeline's own.
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
    const auto open_all = [&](const std::vector<config::LayerSpec>& layers) {
        for (const config::LayerSpec& layer : layers) {
            open_once(layer.precision, layer.precision_origin);
        }
    };
    open_all(spec.model.layers);
    for (const config::BlockSpec& block : spec.model.blocks) {
        open_all(block.layers);
    }
}

}  // namespace

Toolbox open_toolbox(const config::PipelineSpec& spec, const registry::Registry& registry) {
    Toolbox tools;
    tools.registry = &registry;
    tools.deterministic = spec.deterministic;
    tools.choices = std::make_unique<registry::Choices>(registry::Choices::default_file(), spec.measure);
    tools.device = open_device(spec, registry);
    for (const config::ComponentSpec& wanted : spec.kernels) {
        try {
            const registry::Component component =
                registry.find(registry::Kind::kernel, wanted.use, wanted.origin, tools.device->kind());
            tools.providers.emplace_back(component, registry.options(component, wanted), *tools.device);
        } catch (const Error& error) {
            if (wanted.origin.kind != Origin::Kind::built_in) {
                throw;
            }
            log::warn(fmt::format("kernels '{}' are left out: {}", wanted.use, error.what()));
        }
    }
    open_policies(spec, tools);
    return tools;
}

}  // namespace sluice::plan
