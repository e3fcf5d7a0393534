#include "run/setup/open_optimizer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "config/keys.hpp"

namespace sluice::run {
namespace {

// [optimizer] also has keys of the host. The optimizer's own schema could not suggest those for a misspelt key.
void check_keys(const config::ComponentSpec& optimizer, const registry::Component& component) {
    std::vector<std::string> known{"rate", "scale_rate", "scale_from", "clip_norm"};
    for (const registry::OptionSchema& option : component.manifest->options) {
        known.push_back(option.name);
    }
    for (const auto& [key, value] : optimizer.options.entries()) {
        if (std::ranges::find(known, key) == known.end()) {
            throw Error(Exit::config,
                        fmt::format("{}: unknown option '{}' of optimizer '{}'{}", to_string(value.origin), key,
                                    optimizer.use, config::unknown_key_hint(key, known, "optimizer")));
        }
    }
}

}  // namespace

registry::Optimizer open_optimizer(const config::PipelineSpec& spec, const registry::Registry& registry,
                                   const std::string& device_kind) {
    const registry::Component component =
        registry.find(registry::Kind::optimizer, spec.optimizer.use, spec.optimizer.origin, device_kind);
    check_keys(spec.optimizer, component);
    return {component, registry.options(component, spec.optimizer), spec.optimizer.origin};
}

}  // namespace sluice::run
