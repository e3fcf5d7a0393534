#include "history/series.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace sluice::history {

void Series::cut_after(double step) {
    const auto end = std::ranges::upper_bound(steps, step);
    values.resize(static_cast<std::size_t>(end - steps.begin()));
    steps.erase(end, steps.end());
}

Series thinned(const Series& series, std::size_t most) {
    const std::size_t count = series.steps.size();
    if (count <= most || most == 0) {
        return series;
    }
    Series thin{.name = series.name};
    const std::size_t group = (count + most - 1) / most;
    for (std::size_t first = 0; first < count; first += group) {
        const std::size_t end = std::min(count, first + group);
        double sum = 0.0;
        std::size_t known = 0;
        for (std::size_t i = first; i < end; ++i) {
            if (!std::isnan(series.values[i])) {
                sum += series.values[i];
                ++known;
            }
        }
        thin.add(series.steps[end - 1],
                 known > 0 ? sum / static_cast<double>(known) : std::numeric_limits<double>::quiet_NaN());
    }
    return thin;
}

}  // namespace sluice::history
