#include "report/curve.hpp"

#include <cstddef>
#include <utility>

namespace sluice::report {

Line line_of(const history::Series& series, const std::string& name, double factor) {
    constexpr std::size_t kMostPoints = 500;
    history::Series thin = history::thinned(series, kMostPoints);
    for (double& value : thin.values) {
        value *= factor;
    }
    return {.name = name, .x = std::move(thin.steps), .y = std::move(thin.values)};
}

}  // namespace sluice::report
