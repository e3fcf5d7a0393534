#include "check/cases/bench.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace sluice::check {

std::unique_ptr<Workbench> open_bench(Trial& trial) {
    const std::string name = trial.manifest().device.empty() ? "cpu" : trial.manifest().device;
    const registry::Registry& registry = trial.registry();
    try {
        const registry::Component component = registry.find(registry::Kind::device, name, {});
        const Table options = registry.options(component, {.use = name, .origin = {}, .options = {}});
        return std::make_unique<Workbench>(std::make_shared<registry::Device>(component, options, 0));
    } catch (const Error& error) {
        if (error.exit() != Exit::device && error.exit() != Exit::config) {
            throw;
        }
        throw CaseSkipped(fmt::format("the component needs a device '{}': {}", name, error.what()));
    }
}

}  // namespace sluice::check
