// The results of an epoch as one row, joined from two events: EPOCH_END and EVALUATION.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sluice/kind/observer.h"

namespace sluice::observers {

struct Metric {
    std::string name;
    double value;
};

struct Training {
    double loss;
    double seconds;
    double samples_per_second;
};

struct EpochRow {
    std::int64_t epoch = 0;
    std::int64_t step = 0;
    double seconds = 0.0;
    std::optional<Training> training;  // empty: an evaluation on its own
    std::vector<Metric> evaluation;    // empty: the epoch was not evaluated
};

class EpochRows {
public:
    // Takes an event of any kind. Returns the row that the event completes, or the row to which no event can be added
    // after it.
    std::optional<EpochRow> take(const sluice_event& event);

private:
    std::optional<EpochRow> pending_;
};

// Returns the value of metric `name`; empty: there is none.
std::optional<double> find(const std::vector<Metric>& metrics, const std::string& name);

}  // namespace sluice::observers
