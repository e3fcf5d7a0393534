// Counts what a loader does: batches that were handed out, the time of each stage, and at which stage each thread is.
// Private to this folder.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "data/chain/stage_times.hpp"
#include "data/loader/figures.hpp"

namespace sluice::data {

struct Batch;

class LoaderMeter {
public:
    // Stages by name, in the order of the chain; the last `of_batches` are those of whole batches.
    LoaderMeter(std::vector<std::string> stages, std::size_t of_batches);

    // One more thread, before any thread runs: its stages of samples, and those of whole batches. Both are kept.
    void add_thread(const StageTimes& samples, const StageTimes& batches);
    // A batch was handed out; so many of its samples are in the places of bad ones. `ready`: batches that were whole
    // when it was asked for; `waited`: seconds until it was there.
    void count(const Batch& batch, std::uint64_t replaced, std::uint64_t ready, double waited);

    // [any thread] Without those of workers and prefetch.
    [[nodiscard]] LoaderFigures figures() const;
    // [any thread] Of all threads, at any stage.
    [[nodiscard]] double busy_seconds() const;
    // [any thread] "a thread is at 'decode' of sample 17 for 61 s", for each.
    [[nodiscard]] std::string places() const;

private:
    struct Thread {
        const StageTimes& samples;
        const StageTimes& batches;
    };

    [[nodiscard]] StageSum sum_of(std::size_t stage) const;

    const std::vector<std::string> stages_;
    const std::size_t of_samples_;  // the first of them
    std::vector<Thread> threads_;
    const double start_ = now();
    mutable std::mutex mutex_;  // guards counts_
    LoaderFigures counts_;      // of batches
};

}  // namespace sluice::data
