#include "plan/toolbox.hpp"

#include <fmt/format.h>

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
    const registry::Component policy =
        registry.find(registry::Kind::precision, spec.precision.use, spec.precision.origin);
    tools.precision =
        std::make_unique<registry::Precision>(policy, registry.options(policy, spec.precision), spec.precision.origin);
    return tools;
}

}  // namespace sluice::plan
