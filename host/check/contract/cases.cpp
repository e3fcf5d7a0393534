#include "check/contract/cases.hpp"

#include <fmt/format.h>

#include "registry/loading/interfaces.hpp"

namespace sluice::check {

const KindCases& cases_of(registry::Kind kind) {
    switch (kind) {
        case registry::Kind::device:
            return device_cases();
        case registry::Kind::layer:
            return layer_cases();
        case registry::Kind::kernel:
            return kernel_cases();
        case registry::Kind::optimizer:
            return optimizer_cases();
        case registry::Kind::source:
            return source_cases();
        case registry::Kind::transform:
            return transform_cases();
        case registry::Kind::precision:
            return precision_cases();
        case registry::Kind::strategy:
            return strategy_cases();
        case registry::Kind::observer:
            break;
    }
    return observer_cases();
}

std::vector<Case> joined(std::initializer_list<std::span<const Case>> lists) {
    std::vector<Case> all;
    for (const auto& list : lists) {
        all.insert(all.end(), list.begin(), list.end());
    }
    return all;
}

void need_interface(Trial& trial, const char* id) {
    if (registry::optional_interface(trial.component(), id) == nullptr) {
        throw CaseSkipped(fmt::format("the component does not serve {}", id));
    }
}

}  // namespace sluice::check
