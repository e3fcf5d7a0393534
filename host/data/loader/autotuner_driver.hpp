// Connects a loader to the autotuner: measures the caller's time and the size of batches, and reports decisions.
// Private to this folder.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "data/loader/caller_clock.hpp"
#include "data/loader/loader_options.hpp"
#include "data/loader/worker_autotuner.hpp"

namespace sluice::data {

// Not thread-safe.
class AutotunerDriver {
public:
    // `purpose` opens messages. Keeps a reference to `options`.
    AutotunerDriver(std::string purpose, const LoaderOptions& options);

    // The current workers and prefetch. With a memory limit, prefetch is at most 1 until the first adjust(), because
    // the size of a batch is not known before.
    [[nodiscard]] const WorkerSettings& worker_settings() const { return worker_settings_; }
    // The time until the next batch does not count.
    void pause();
    // A batch was handed out. `waited`: seconds that the caller waited for it.
    void hand_out(double waited);
    // Call it after hand_out() if the loader has workers. `sample_bytes`: size of a sample in the batch. `busy_seconds`
    // returns the work of all threads so far; it is called only if needed. True if worker_settings() may have changed.
    bool adjust(std::uint64_t sample_bytes, const std::function<double()>& busy_seconds);
    // The message for the log of the last adjust(); empty: none.
    [[nodiscard]] const std::string& news() const { return news_; }

private:
    [[nodiscard]] std::int64_t batches_that_fit(std::uint64_t sample_bytes) const;
    [[nodiscard]] std::int64_t first_prefetch(std::uint64_t sample_bytes) const;
    void begin(std::uint64_t sample_bytes);
    bool observe(const std::function<double()>& busy_seconds);

    const std::string purpose_;
    const LoaderOptions& options_;
    WorkerSettings worker_settings_;
    CallerClock clock_;
    std::int64_t batches_ = 0;              // handed out
    std::optional<WorkerAutotuner> tuner_;  // made with the first batch, whose size gives the number that fit
    std::string news_;
};

}  // namespace sluice::data
