// What is known of an epoch when it is over: its EPOCH_END and its EVALUATION, which arrive as two events, as one row.
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
    std::optional<Training> training;  // absent for an evaluation by itself
    std::vector<Metric> evaluation;    // empty where the epoch was not evaluated
};

class EpochRows {
public:
    // Takes an event of any kind; returns the row that it completes, or that can grow no more because of it.
    std::optional<EpochRow> take(const sluice_event& event);

private:
    std::optional<EpochRow> pending_;
};

// The value of metric `name`, if it is there.
std::optional<double> find(const std::vector<Metric>& metrics, const std::string& name);

}  // namespace sluice::observers
