#include "data/loader/autotuner_driver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/text/byte_size.hpp"
#include "base/text/counted.hpp"

namespace sluice::data {

AutotunerDriver::AutotunerDriver(std::string purpose, const LoaderOptions& options)
    : purpose_(std::move(purpose)),
      options_(options),
      worker_settings_{options.workers,
                       options.prefetch_bytes > 0 ? std::min<std::int64_t>(options.prefetch, 1) : options.prefetch} {}

void AutotunerDriver::pause() { clock_.pause(); }

void AutotunerDriver::hand_out(double waited) {
    ++batches_;
    clock_.hand_out(waited);
}

bool AutotunerDriver::adjust(std::uint64_t sample_bytes, const std::function<double()>& busy_seconds) {
    news_.clear();
    const bool is_first = !tuner_;
    if (is_first) {
        begin(sample_bytes);
    }
    const bool is_decided = news_.empty() && observe(busy_seconds);
    return is_first || is_decided;
}

// Returns how many batches fit into memory besides the caller's batch.
std::int64_t AutotunerDriver::batches_that_fit(std::uint64_t sample_bytes) const {
    if (options_.prefetch_bytes == 0) {
        return std::numeric_limits<std::int64_t>::max();
    }
    const std::uint64_t bytes = sample_bytes * static_cast<std::uint64_t>(options_.batch);
    return std::max(static_cast<std::int64_t>(options_.prefetch_bytes / std::max<std::uint64_t>(bytes, 1)),
                    std::int64_t{options_.allows_one_prefetched ? 1 : 0});
}

// Small batches cost little memory. With more of them, the workers sleep longer and are woken less often.
std::int64_t AutotunerDriver::first_prefetch(std::uint64_t sample_bytes) const {
    constexpr std::uint64_t kSmall = std::uint64_t{256} << 10;
    constexpr std::int64_t kMost = 32;
    const std::uint64_t bytes = std::max<std::uint64_t>(sample_bytes * static_cast<std::uint64_t>(options_.batch), 1);
    const std::int64_t most = std::min(kMost, options_.most_prefetch);
    return std::max(options_.prefetch, std::min(static_cast<std::int64_t>(kSmall / bytes), most));
}

void AutotunerDriver::begin(std::uint64_t sample_bytes) {
    const std::int64_t fit = batches_that_fit(sample_bytes);
    worker_settings_.prefetch = std::min(first_prefetch(sample_bytes), fit);
    tuner_.emplace(worker_settings_,
                   WorkerSettings{.workers = options_.most_workers, .prefetch = std::min(options_.most_prefetch, fit)});
    if (worker_settings_.prefetch < options_.prefetch && options_.most_prefetch < options_.prefetch) {
        news_ = fmt::format("{}: prefetching {} instead of {}: data.memory leaves {} for them", purpose_,
                            counted(worker_settings_.prefetch, "batch"), options_.prefetch,
                            format_size(options_.prefetch_bytes));
    }
}

bool AutotunerDriver::observe(const std::function<double()>& busy_seconds) {
    AutotunerSums sums{.seconds = clock_.seconds(), .waited = clock_.waited(), .busy = 0.0, .batches = batches_};
    if (!tuner_->is_due(sums)) {
        return false;
    }
    sums.busy = busy_seconds();
    if (!tuner_->observe(sums)) {
        return false;
    }
    worker_settings_ = tuner_->worker_settings();
    if (options_.logs_tuning && tuner_->has_news()) {
        news_ =
            fmt::format("{}: autotuned to {} and {} ahead: {}", purpose_, counted(worker_settings_.workers, "worker"),
                        counted(worker_settings_.prefetch, "batch"), tuner_->reason());
    }
    return true;
}

}  // namespace sluice::data
