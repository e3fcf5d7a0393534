#include "check/check_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "check/case_check.hpp"

namespace sluice::check {
namespace {

bool is_called(const registry::ComponentManifest& component, const std::string& name) {
    return component.provides == name || component.id == name;
}

bool has(const std::vector<const registry::ComponentManifest*>& components, const std::string& name) {
    return std::ranges::any_of(components, [&](const auto* component) { return is_called(*component, name); });
}

void append(std::vector<Finding>& all, std::vector<Finding> more) { std::ranges::move(more, std::back_inserter(all)); }

std::vector<Finding> check_layer(const registry::Component& layer, const Providers& providers,
                                 const std::string& only_provider) {
    const std::vector<registry::CheckCase>& checks = layer.manifest->checks;
    std::vector<Finding> findings;
    for (std::size_t i = 0; i < checks.size(); ++i) {
        for (const bool trains : {true, false}) {
            try {
                const NodeCase node(layer, checks[i], i + 1, trains);
                if (!node.is_left_out()) {
                    append(findings, CaseCheck(node, providers, only_provider).run());
                }
            } catch (const Error& error) {
                findings.push_back(
                    {Result::failed, layer.manifest->provides, "-", fmt::format("case {}", i + 1), error.what()});
            }
        }
    }
    return findings;
}

Finding skipped_layer(const registry::ComponentManifest& layer, const std::string& reason) {
    return {Result::skipped, layer.provides, "-", layer.id, reason};
}

void expect_known(const registry::Registry& registry, const std::string& filter) {
    std::vector<std::string> names;
    for (const registry::Kind kind : {registry::Kind::layer, registry::Kind::kernel}) {
        const auto components = registry.list(kind);
        if (filter.empty() || has(components, filter)) {
            return;
        }
        std::ranges::transform(components, std::back_inserter(names), &registry::ComponentManifest::provides);
    }
    throw Error(Exit::config, fmt::format("there is no layer type or kernel provider '{}' to check{}", filter,
                                          suggestion(filter, names)));
}

}  // namespace

std::vector<Finding> check_kernels(const registry::Registry& registry, const std::string& filter) {
    expect_known(registry, filter);
    const auto layers = registry.list(registry::Kind::layer);
    const bool by_layer = !filter.empty() && has(layers, filter);
    const Providers providers(registry);
    std::vector<Finding> findings;
    for (const registry::ComponentManifest* manifest : layers) {
        if (by_layer && !is_called(*manifest, filter)) {
            continue;
        }
        try {
            const registry::Component layer = registry.find(registry::Kind::layer, manifest->provides, {});
            if (layer.manifest != manifest) {
                findings.push_back(skipped_layer(*manifest, layer.label + " comes first under this name"));
            } else if (manifest->checks.empty()) {
                findings.push_back(skipped_layer(*manifest, "its manifest has no [[component.check]]"));
            } else {
                append(findings, check_layer(layer, providers, by_layer ? "" : filter));
            }
        } catch (const Error& error) {
            findings.push_back({Result::failed, manifest->provides, "-", manifest->id, error.what()});
        }
    }
    return findings;
}

}  // namespace sluice::check
