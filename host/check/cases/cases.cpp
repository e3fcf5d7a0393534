#include "check/cases/cases.hpp"

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

}  // namespace sluice::check
