// Counts the batches of a loader and the time of each stage, and knows the current stage of each thread. Private to
// this folder.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.hpp"
#include "data/chain/stage_times.hpp"
#include "data/loader/figures.hpp"

namespace sluice::data {

struct Batch;

class LoaderMeter {
public:
    // Seconds of all threads together.
    struct InputSeconds {
        double read = 0.0;  // from sources and caches
        double preprocess = 0.0;
    };

    // `stages`: names in the order of the chain; the last `of_batches` are transforms of whole batches. `reads`: for
    // each stage, whether it reads samples.
    LoaderMeter(std::vector<std::string> stages, std::size_t of_batches, std::vector<bool> reads);

    // Adds a thread with its times for samples and for whole batches; keeps both references. Call it before any thread
    // runs.
    void add_thread(const StageTimes& samples, const StageTimes& batches);
    // Counts a batch that was handed out. `replaced`: bad samples that others replaced in it; `ready`: batches that
    // were whole when it was requested; `waited`: seconds until it was ready.
    void count(const Batch& batch, std::uint64_t replaced, std::uint64_t ready, double waited);

    // [any thread] All figures but those about workers and prefetch.
    [[nodiscard]] LoaderFigures figures() const;
    // [any thread] Seconds of all threads in all stages.
    [[nodiscard]] double busy_seconds() const;
    // [any thread] The same, with the time in stages that have not ended.
    [[nodiscard]] InputSeconds input_seconds() const;
    // [any thread] The name of the stage in which the threads have spent the most time so far; valid as long as this
    // object. Allocates nothing.
    [[nodiscard]] std::string_view slowest_stage() const;
    // [any thread] "a thread is at 'decode' of sample 17 for 61 s", for each thread in a stage.
    [[nodiscard]] std::string places() const;

private:
    struct Thread {
        const StageTimes& samples;
        const StageTimes& batches;
    };

    [[nodiscard]] StageSum sum_of(std::size_t stage) const;

    const std::vector<std::string> stages_;
    const std::size_t of_samples_;   // number of sample stages; they come first
    const std::vector<bool> reads_;  // by stage
    std::vector<Thread> threads_;
    const double start_ = now();
    mutable std::mutex mutex_;  // guards counts_
    LoaderFigures counts_;      // only what count() adds up
};

}  // namespace sluice::data
