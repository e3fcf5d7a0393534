// Joins the events of an epoch into one row.
#include "epoch_row.hpp"

#include <utility>

#include "sluice/sdk/run.hpp"

namespace sluice::observers {
namespace {

bool is_full(const EpochRow& row) { return row.training && !row.evaluation.empty(); }

bool has_place_for(const EpochRow& row, const sluice_event& event) {
    return row.epoch == event.epoch && (event.kind == SLUICE_EVENT_EPOCH_END ? !row.training : row.evaluation.empty());
}

void fill(EpochRow& row, const sluice_event& event) {
    row.epoch = event.epoch;
    row.step = event.step;
    row.seconds = event.seconds;
    if (event.kind == SLUICE_EVENT_EPOCH_END) {
        row.training = Training{sdk::scalar(event, "loss"), sdk::scalar(event, "seconds"),
                                sdk::scalar(event, "samples_per_second")};
        return;
    }
    for (std::uint64_t i = 0; i < event.scalar_count; ++i) {
        row.evaluation.push_back({std::string(sdk::view(event.scalars[i].name)), event.scalars[i].value});
    }
}

}  // namespace

std::optional<EpochRow> EpochRows::take(const sluice_event& event) {
    switch (event.kind) {
        case SLUICE_EVENT_EPOCH_END:
        case SLUICE_EVENT_EVALUATION: {
            if (pending_ && has_place_for(*pending_, event)) {
                fill(*pending_, event);
                return is_full(*pending_) ? std::exchange(pending_, std::nullopt) : std::nullopt;
            }
            EpochRow row;
            fill(row, event);
            return std::exchange(pending_, std::move(row));
        }
        case SLUICE_EVENT_STEP:
        case SLUICE_EVENT_CHECKPOINT:  // a run that resumes from it does not send these events again
        case SLUICE_EVENT_RUN_END:
            return std::exchange(pending_, std::nullopt);
        default:  // samples may come between the two events
            return std::nullopt;
    }
}

std::optional<double> find(const std::vector<Metric>& metrics, const std::string& name) {
    for (const Metric& metric : metrics) {
        if (metric.name == name) {
            return metric.value;
        }
    }
    return std::nullopt;
}

}  // namespace sluice::observers
