#include "data/loader/worker_autotuner.hpp"

#include <algorithm>
#include <utility>

namespace sluice::data {
namespace {

// Shares of the time.
constexpr double kKeepsUp = 0.02;  // the input keeps up if the consumer waits less than this
constexpr double kBusy = 0.8;      // if workers are busier than this, raise workers, else prefetch
constexpr double kHelps = 0.05;    // least share of a batch's time that a raise has to save

// A window is long enough if it has kMany batches in kShort seconds, or kFew in kLong.
constexpr double kShort = 0.5;
constexpr std::int64_t kMany = 8;
constexpr double kLong = 10.0;
constexpr std::int64_t kFew = 2;

constexpr int kTrial = 2;           // windows; in the first, new threads may still be starting
constexpr int kLongestPause = 512;  // windows

double per_batch(double seconds, const AutotunerSums& window) { return seconds / static_cast<double>(window.batches); }

}  // namespace

AutotunerSums& AutotunerSums::operator-=(const AutotunerSums& before) {
    seconds -= before.seconds;
    waited -= before.waited;
    busy -= before.busy;
    batches -= before.batches;
    return *this;
}

WorkerAutotuner::WorkerAutotuner(WorkerSettings start, WorkerSettings most)
    : worker_settings_(start),
      most_{std::max(most.workers, start.workers), std::max(most.prefetch, start.prefetch)},
      before_(start) {}

void WorkerAutotuner::raise(const AutotunerSums& window) {
    const bool are_busy = window.busy > kBusy * window.seconds * static_cast<double>(worker_settings_.workers);
    if (are_busy && worker_settings_.workers == most_.workers) {
        reason_ = "all workers are busy, and there may be no more";
        return;
    }
    if (!are_busy && worker_settings_.prefetch == most_.prefetch) {
        reason_ = "the memory for prefetched batches is used up";
        return;
    }
    before_ = worker_settings_;
    trial_ = kTrial;
    waited_before_ = per_batch(window.waited, window);
    seconds_before_ = per_batch(window.seconds, window);
    std::int64_t& raised = are_busy ? worker_settings_.workers : worker_settings_.prefetch;
    raised = std::min(2 * raised, are_busy ? most_.workers : most_.prefetch);
    reason_ = {};
}

void WorkerAutotuner::take_back() {
    reason_ = worker_settings_.workers > before_.workers ? "more workers did not help"
                                                         : "prefetching more batches did not help";
    worker_settings_ = before_;
    pause_ = next_pause_;
    next_pause_ = std::min(2 * next_pause_, kLongestPause);
}

void WorkerAutotuner::decide(const AutotunerSums& window) {
    const int trial = std::exchange(trial_, 0);
    if (window.waited < kKeepsUp * window.seconds) {
        reason_ = "the input keeps up";
    } else if (trial > 0 && waited_before_ - per_batch(window.waited, window) < kHelps * seconds_before_) {
        trial_ = trial - 1;
        if (trial_ == 0) {
            take_back();
        }
    } else if (pause_ > 0) {
        --pause_;
    } else {
        raise(window);
    }
}

bool WorkerAutotuner::is_due(const AutotunerSums& sums) const {
    if (worker_settings_ == most_ && before_ == most_) {
        return false;
    }
    if (!begin_) {
        return true;
    }
    AutotunerSums window = sums;
    window -= *begin_;
    return (window.seconds >= kShort && window.batches >= kMany) || (window.seconds >= kLong && window.batches >= kFew);
}

bool WorkerAutotuner::observe(const AutotunerSums& sums) {
    if (!is_due(sums)) {
        return false;
    }
    const auto before = std::exchange(begin_, sums);
    if (!before) {
        return false;
    }
    AutotunerSums window = sums;
    window -= *before;
    decide(window);
    const Decision decision{worker_settings_, reason_};
    has_news_ = !reason_.empty() && std::ranges::find(reported_, decision) == reported_.end();
    if (has_news_) {
        reported_.push_back(decision);
    }
    return true;
}

}  // namespace sluice::data
