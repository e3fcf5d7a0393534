// The autotuner of workers and prefetch, for pipelines that do not set them. It raises them no further than the
// consumer needs, and only as long as it helps.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace sluice::data {

struct WorkerSettings {
    std::int64_t workers = 1;   // threads
    std::int64_t prefetch = 2;  // batches made ahead
    friend bool operator==(const WorkerSettings&, const WorkerSettings&) = default;
};

// Sums since a common start. The difference of two is a window.
struct AutotunerSums {
    double seconds = 0.0;
    double waited = 0.0;  // of these seconds, those that the consumer waited
    double busy = 0.0;    // seconds of work, over all workers
    std::int64_t batches = 0;

    AutotunerSums& operator-=(const AutotunerSums& before);
};

class WorkerAutotuner {
public:
    // `most`: upper limits. If they do not exceed `start`, nothing is tuned.
    WorkerAutotuner(WorkerSettings start, WorkerSettings most);

    // Call it after each batch. True if it made a decision; worker_settings(), reason() and has_news() may have
    // changed.
    bool observe(const AutotunerSums& sums);
    // True if there is something to tune and a window has passed, so that observe() needs `sums` with `busy`. Does not
    // read `busy` itself.
    [[nodiscard]] bool is_due(const AutotunerSums& sums) const;

    [[nodiscard]] const WorkerSettings& worker_settings() const { return worker_settings_; }
    // Returns why workers and prefetch were not raised further, as one of a few literals; empty while a raise is on
    // trial.
    [[nodiscard]] std::string_view reason() const { return reason_; }
    // True if the last decision has a combination of settings and reason that has not occurred before.
    [[nodiscard]] bool has_news() const { return has_news_; }

private:
    struct Decision {
        WorkerSettings worker_settings;
        std::string_view reason;
        friend bool operator==(const Decision&, const Decision&) = default;
    };

    void decide(const AutotunerSums& window);
    void raise(const AutotunerSums& window);
    void take_back();

    WorkerSettings worker_settings_;
    WorkerSettings most_;
    WorkerSettings before_;        // before the last raise
    int trial_ = 0;                // windows left in which the raise may show that it helps
    double waited_before_ = 0.0;   // seconds per batch that the consumer waited before the raise
    double seconds_before_ = 0.0;  // seconds per batch before the raise
    int pause_ = 0;                // windows left without a new trial, after one that did not help
    int next_pause_ = 8;           // windows; doubles with each failed trial. Later ones may succeed: a disk warms up
    std::optional<AutotunerSums> begin_;
    std::string_view reason_;
    std::vector<Decision> reported_;
    bool has_news_ = false;
};

}  // namespace sluice::data
