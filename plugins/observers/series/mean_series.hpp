// A long series with fewer points. Its first `full` values are all points. After them a point stands for 2 values, from
// 2 * full on for 4, from 4 * full on for 8, and so on, so that a hundred times more values give only about four times
// more points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/kind/observer.h"

namespace sluice::observers {

struct SeriesValue {
    std::string name;
    double value;
};

struct MeanPoint {
    std::int64_t epoch = 0;  // of the last event
    std::int64_t step = 0;   // of the last event
    double seconds = 0.0;    // of the last event
    std::vector<SeriesValue> values;
};

// Returns the number of the last value that shares a point with value `number`, which counts from 1. full: even.
std::int64_t last_of_point(std::int64_t number, std::int64_t full);

class MeanSeries {
public:
    // takes_last: if it returns true for a name, a point has its last value, else the mean.
    MeanSeries(std::int64_t full, bool (*takes_last)(std::string_view name)) : full_(full), takes_last_(takes_last) {}
    // Adds the scalars of value `number`. Appends points that are complete to `to`. Numbers may be left out.
    void add(std::int64_t number, const sluice_event& event, std::vector<MeanPoint>& to);
    // Appends the point that is not complete yet.
    void finish(std::vector<MeanPoint>& to);

private:
    struct Sum {
        std::string name;
        bool takes_last;
        double value = 0.0;
        std::int64_t count = 0;
    };

    Sum& sum_of(std::string_view name, std::size_t likely);

    std::int64_t full_;
    bool (*takes_last_)(std::string_view name);
    std::int64_t last_ = 0;  // number of the last value of the open point; 0: no point is open
    MeanPoint open_;         // without values
    std::vector<Sum> sums_;  // entries with a count of 0 keep their place for the next point
};

}  // namespace sluice::observers
