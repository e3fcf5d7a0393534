#include "check/check_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "check/case_check.hpp"
#include "check/isolated.hpp"

namespace sluice::check {
namespace {

bool is_called(const registry::ComponentManifest& component, const std::string& name) {
    return component.provides == name || component.id == name;
}

bool has(const std::vector<const registry::ComponentManifest*>& components, const std::string& name) {
    return std::ranges::any_of(components, [&](const auto* component) { return is_called(*component, name); });
}

void check_pair(const registry::Registry& registry, const registry::ComponentManifest& type,
                const registry::ComponentManifest& kernels, Report& report) {
    const registry::Component layer = registry.find(registry::Kind::layer, type.provides, {});
    Finding finding{Result::skipped, type.provides, kernels.provides, type.id, ""};
    if (layer.manifest != &type) {
        finding.reason = layer.label + " comes first under this name";
        report.add(finding);
        return;
    }
    Providers providers(registry);
    for (std::size_t i = 0; i < type.checks.size(); ++i) {
        for (const bool trains : {true, false}) {
            try {
                const NodeCase node(registry, layer, type.checks[i], i + 1, trains);
                if (!node.is_left_out()) {
                    CaseCheck(node, providers.get(kernels), report).run(providers.oracles(node));
                }
            } catch (const Error& error) {
                finding.result = Result::failed;
                finding.place = fmt::format("case {}", i + 1);
                finding.reason = error.what();
                report.add(finding);
            }
        }
    }
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
    std::vector<Finding> findings;
    for (const registry::ComponentManifest* layer : layers) {
        if (by_layer && !is_called(*layer, filter)) {
            continue;
        }
        if (layer->checks.empty()) {
            findings.push_back({Result::skipped, layer->provides, "-", layer->id,
                                "its manifest has no [[component.check]], so there is nothing to check it on"});
            continue;
        }
        for (const registry::ComponentManifest* kernels : registry.list(registry::Kind::kernel)) {
            if (by_layer || filter.empty() || is_called(*kernels, filter)) {
                const Finding first{Result::failed, layer->provides, kernels->provides, layer->id, ""};
                std::ranges::move(run_isolated(first, [&](Report& r) { check_pair(registry, *layer, *kernels, r); }),
                                  std::back_inserter(findings));
            }
        }
    }
    return findings;
}

}  // namespace sluice::check
