// The series of a run for tools that draw curves: steps, epochs, evaluations and usage. Long ones have fewer points;
// see MeanSeries. Names have the series in front, by which these tools group curves: "train/loss", "evaluation/psnr".
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "series/mean_series.hpp"

namespace sluice::observers {

enum class SeriesKind { steps, epochs, evaluations, usage };

struct SeriesPoint {
    SeriesKind kind;
    MeanPoint mean;
};

class RunSeries {
public:
    RunSeries();
    // Takes an event of any kind. Returns the points that it completes. At SLUICE_EVENT_RUN_END these are all.
    std::vector<SeriesPoint> take(const sluice_event& event);

private:
    [[nodiscard]] std::int64_t number_of(SeriesKind kind, const sluice_event& event);

    std::array<MeanSeries, 4> series_;  // by SeriesKind
    std::int64_t evaluation_count_ = 0;
    std::int64_t usage_count_ = 0;
};

}  // namespace sluice::observers
