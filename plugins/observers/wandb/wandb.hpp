// An offline run of Weights & Biases in the folder wandb/ of the run's folder, for `wandb leet` and `wandb sync`.
// Nothing is uploaded. A resumed run continues the file after the step that it resumes from. Records that cannot be
// written are kept and retried at later events. The RUN_END event fails if some are still missing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "files/record_file.hpp"
#include "series/run_series.hpp"
#include "series/thinner.hpp"
#include "sluice/sdk/run.hpp"
#include "wandb/log_messages.hpp"

namespace sluice::observers {

class Wandb : public sdk::Observer {
public:
    Wandb(sdk::Host host, sdk::Options options);
    std::uint64_t wants() const noexcept override;
    void on_event(const sluice_event& event) override;

private:
    // The values of one step. It is open until an event of a later step comes, since an evaluation may add to it.
    struct Row {
        std::int64_t step = 0;
        std::int64_t epoch = 0;
        double seconds = 0.0;
        wandb::Items items;
    };

    void begin(const sluice_event& event);
    [[nodiscard]] wandb::Items read_config(const std::filesystem::path& run) const;
    void add_point(const SeriesPoint& point);
    void add_stats(const MeanPoint& usage);
    void close_row();
    void add_summary();
    void add_end(const sluice_event& event);

    sdk::Host host_;
    std::string project_;
    double began_ = 0.0;    // seconds since 1970 at second 0 of the run
    double runtime_ = 0.0;  // seconds of training before this process
    std::optional<RecordFile> file_;
    std::function<void()> link_;  // makes the link to the run; empty: it is made
    wandb::LogMessages messages_;
    RunSeries series_;
    std::optional<Row> row_;
    std::int64_t last_step_ = 0;  // of the newest row
    wandb::Items summary_;        // the last value of each name
    double summary_at_ = -1e300;  // seconds of the last summary record
    Thinner summaries_;
};

}  // namespace sluice::observers
