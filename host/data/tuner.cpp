#include "data/tuner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sluice::data {
namespace {

// Shares of the time.
constexpr double kKeepsUp = 0.02;  // the consumer waits less
constexpr double kBusy = 0.8;      // workers are: more of them are needed, not more batches ahead
constexpr double kHelps = 0.05;    // what a raise has to win

// Enough to judge by: many batches in a short time, or few in a long one.
constexpr double kShort = 0.5;
constexpr std::int64_t kMany = 8;
constexpr double kLong = 10.0;
constexpr std::int64_t kFew = 2;

double per_batch(double seconds, const TunerSums& window) { return seconds / static_cast<double>(window.batches); }

}  // namespace

TunerSums& TunerSums::operator-=(const TunerSums& before) {
    seconds -= before.seconds;
    waited -= before.waited;
    busy -= before.busy;
    batches -= before.batches;
    return *this;
}

Tuner::Tuner(Effort start, Effort most)
    : effort_(start),
      most_{std::max(most.workers, start.workers), std::max(most.prefetch, start.prefetch)},
      before_(start),
      done_(start == most_) {}

void Tuner::settle(std::string reason, bool for_good) {
    reason_ = std::move(reason);
    done_ = for_good;
}

void Tuner::raise(const TunerSums& window) {
    const bool are_busy = window.busy > kBusy * window.seconds * static_cast<double>(effort_.workers);
    if (are_busy && effort_.workers == most_.workers) {
        settle("all workers that the cores allow are busy", true);
        return;
    }
    if (!are_busy && effort_.prefetch == most_.prefetch) {
        settle("the memory for batches ahead is used up", true);
        return;
    }
    before_ = effort_;
    on_trial_ = true;
    waited_before_ = per_batch(window.waited, window);
    seconds_before_ = per_batch(window.seconds, window);
    std::int64_t& raised = are_busy ? effort_.workers : effort_.prefetch;
    raised = std::min(2 * raised, are_busy ? most_.workers : most_.prefetch);
    reason_.clear();
}

void Tuner::decide(const TunerSums& window) {
    const bool on_trial = std::exchange(on_trial_, false);
    if (window.waited < kKeepsUp * window.seconds) {
        settle("the input keeps up", false);
    } else if (on_trial && waited_before_ - per_batch(window.waited, window) < kHelps * seconds_before_) {
        settle(effort_.workers > before_.workers ? "more workers made nothing faster"
                                                 : "more batches ahead made nothing faster",
               true);
        effort_ = before_;
    } else {
        raise(window);
    }
}

bool Tuner::observe(const TunerSums& sums) {
    if (done_) {
        return false;
    }
    if (!begin_) {
        begin_ = sums;
        return false;
    }
    TunerSums window = sums;
    window -= *begin_;
    if ((window.seconds < kShort || window.batches < kMany) && (window.seconds < kLong || window.batches < kFew)) {
        return false;
    }
    begin_ = sums;
    decide(window);
    return true;
}

}  // namespace sluice::data
