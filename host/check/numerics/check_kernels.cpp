#include "check/numerics/check_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/text/nearest.hpp"
#include "check/isolation/isolated.hpp"
#include "check/isolation/thread_shortage.hpp"
#include "check/numerics/case_check.hpp"

namespace sluice::check {
namespace {

bool is_called(const registry::ComponentManifest& component, const std::string& name) {
    return component.provides == name || component.id == name;
}

bool is_one_of(const registry::ComponentManifest& component, const std::vector<std::string>& names) {
    return std::ranges::any_of(names, [&](const std::string& name) { return is_called(component, name); });
}

void check_cases(const registry::Registry& registry, const registry::ComponentManifest& type,
                 const registry::ComponentManifest& kernels, Report& report) {
    const registry::Component layer = registry.find(registry::Kind::layer, type.provides, {});
    Finding finding{Result::skipped, type.provides, kernels.provides, type.id, ""};
    if (layer.manifest != &type) {
        finding.reason = layer.label + " takes precedence under this name";
        report.add(finding);
        return;
    }
    Providers providers(registry);
    for (std::size_t i = 0; i < type.checks.size(); ++i) {
        for (const bool trains : {true, false}) {
            try {
                const NodeCase node(registry, layer, type.checks[i], i + 1, trains);
                if (!node.is_omitted_in_evaluation()) {
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

// Returns the components that are named, or all if none is.
std::vector<const registry::ComponentManifest*> chosen(const registry::Registry& registry, registry::Kind kind,
                                                       const std::vector<std::string>& names) {
    const auto all = registry.list(kind);
    auto some = all;
    std::erase_if(some, [&](const auto* component) { return !is_one_of(*component, names); });
    return some.empty() ? all : some;
}

void expect_known(const registry::Registry& registry, const std::string& name) {
    std::vector<std::string> known;
    for (const registry::Kind kind : {registry::Kind::layer, registry::Kind::kernel}) {
        for (const registry::ComponentManifest* component : registry.list(kind)) {
            if (is_called(*component, name)) {
                return;
            }
            known.push_back(component->provides);
        }
    }
    throw Error(Exit::config, fmt::format("there is no layer type or kernel provider '{}' to check{}", name,
                                          suggestion(name, known)));
}

}  // namespace

std::vector<Pair> list_pairs(const registry::Registry& registry, const std::vector<std::string>& names) {
    std::ranges::for_each(names, [&](const std::string& name) { expect_known(registry, name); });
    std::vector<Pair> pairs;
    for (const registry::ComponentManifest* layer : chosen(registry, registry::Kind::layer, names)) {
        if (layer->checks.empty()) {
            pairs.push_back({layer, nullptr});
            continue;
        }
        for (const registry::ComponentManifest* kernels : chosen(registry, registry::Kind::kernel, names)) {
            pairs.push_back({layer, kernels});
        }
    }
    return pairs;
}

void check_pair(const registry::Registry& registry, const Pair& pair, std::chrono::duration<double> limit,
                const std::function<void(const Finding&)>& notify) {
    const auto& [layer, kernels] = pair;
    if (kernels == nullptr) {
        notify({Result::skipped, layer->provides, "-", layer->id,
                "the manifest has no [[component.check]], so there is nothing to check"});
        return;
    }
    const Finding first{Result::failed, layer->provides, kernels->provides, layer->id, ""};
    forget_thread_shortage();
    run_isolated(
        first,
        {.limit = limit, .hint = "; in backward, inputs and outputs are NULL unless plan() declared them as read"},
        [&](Report& report) { check_cases(registry, *pair.layer, *pair.kernels, report); },
        [&](const Finding& finding) { notify(skip_if_threads_lacked(finding)); });
}

std::vector<Finding> check_kernels(const registry::Registry& registry, const std::vector<std::string>& names) {
    std::vector<Finding> findings;
    for (const Pair& pair : list_pairs(registry, names)) {
        check_pair(registry, pair, {}, [&](const Finding& finding) { findings.push_back(finding); });
    }
    return findings;
}

}  // namespace sluice::check
