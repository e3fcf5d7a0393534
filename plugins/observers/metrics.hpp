// metrics.csv and events.jsonl in the run's folder. A resumed run continues them after the step that it resumes from.
// Rows and events that cannot be written are kept and retried at later events. The RUN_END event fails if some are
// still missing.
#pragma once

#include <optional>
#include <vector>

#include "csv_table.hpp"
#include "epoch_row.hpp"
#include "event_log.hpp"
#include "sluice/sdk/run.hpp"

namespace sluice::observers {

class Metrics : public sdk::Observer {
public:
    Metrics(sdk::Host host, sdk::Options options);
    std::uint64_t wants() const noexcept override;
    void on_event(const sluice_event& event) override;

private:
    void begin(const sluice_event& event);
    void add_row(const EpochRow& row);
    void add_last_row(const sluice_event& end);

    std::int64_t every_steps_;
    std::optional<double> rate_;  // of the last step
    std::vector<Cell> scale_;     // loss scale of the last step; empty: the loss is not scaled
    std::int64_t step_ = 0;       // number of the last step
    std::int64_t epoch_ = 0;      // of the last step
    std::int64_t row_step_ = 0;   // step of the last row
    EpochRows rows_;
    std::optional<CsvTable> table_;
    std::optional<EventLog> events_;
};

}  // namespace sluice::observers
