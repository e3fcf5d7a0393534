// The queue of in-flight batches: workers take samples as tasks, and the caller takes batches in order. Private to this
// folder.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "data/chain/bad_samples.hpp"
#include "data/loader/batch_layout.hpp"
#include "data/loader/figures.hpp"
#include "data/loader/in_flight_batches.hpp"
#include "data/loader/thread_seconds.hpp"
#include "data/loader/worker_autotuner.hpp"

namespace sluice::data {

// [caller]: the one thread that takes batches. Other functions are for a [worker] or [any thread]. Every task that was
// taken has to be finished, even if it fails.
class BatchQueue {
public:
    // One sample to make.
    struct Task {
        BatchSlot* slot = nullptr;
        std::int64_t position = 0;  // in the batch
        std::uint64_t epoch = 0;
        std::uint64_t epoch_position = 0;  // in the epoch's order
        std::exception_ptr failure;        // not null: the whole batch failed, and no sample is made
    };
    struct Wanted {
        const BatchSlot& slot;
        std::uint64_t ready = 0;  // in-flight batches that are whole, including this one
    };
    // How the caller waits; see await().
    struct Waiting {
        double stall_seconds = 0.0;
        const std::function<bool()>& stop;
        std::function<void(double)> stalled;
    };

    // `purpose` opens messages. There are no tasks before the first restart().
    BatchQueue(std::string purpose, const BatchLayout& layout, InFlightBatches in_flight,
               const WorkerSettings& worker_settings);

    // [caller] Waits until no task is in progress, drops the in-flight batches, and continues at `sequence`. No batch
    // from `end` on is made.
    void restart(std::uint64_t sequence, std::uint64_t end);
    // [caller] The sequence number of the wanted batch: the one that wait_for_wanted() returns next, or that is held.
    [[nodiscard]] std::uint64_t wanted() const;
    // [caller] Drops the held batch and waits for the next one. If hold() does not follow, the next call returns the
    // same batch. Throws Error(Exit::data) after the last batch, and Stopped.
    Wanted wait_for_wanted(const Waiting& waiting);
    // [caller] Same, but returns std::nullopt instead of waiting.
    std::optional<Wanted> wanted_if_whole();
    // [caller] Keeps the wanted batch for the caller until the next wait_for_wanted() or take_wanted().
    void hold();
    // [any thread] Number of consecutive whole batches after the held one.
    [[nodiscard]] std::uint64_t ready() const;
    // [caller] Sets the prefetch and the number of active workers. Workers numbered `worker_settings.workers` or above
    // sleep.
    void set_worker_settings(const WorkerSettings& worker_settings);

    // [worker] Waits for a task. Returns std::nullopt if `stop` was requested.
    std::optional<Task> take(std::size_t worker, const std::stop_token& stop);
    // [caller] For a loader without workers: drops a held batch, and returns a task of the wanted batch. Returns
    // std::nullopt if all its samples are there.
    std::optional<Task> take_wanted();
    // [worker] Gives the task's batch the shapes of its first sample. False if there is no room now; `bytes` is then
    // set to the bytes that the batch would hold.
    bool shape(const Task& task, const Sample& sample, std::uint64_t& bytes);
    // [worker] Waits until the task's batch may hold `bytes`, at the latest when it is the wanted batch. Throws Stopped
    // on a restart or if `stop` was requested.
    void wait_for_room(const Task& task, std::uint64_t bytes, const std::stop_token& stop);
    // [worker] Records that the task's sample is bad and that no other replaces it.
    void leave_out(const Task& task, BadSample sample);
    // [worker] Records bad samples that others replaced.
    void replace(const Task& task, std::vector<BadSample> samples);
    // [worker] Finishes a task. `failure`: null if the sample was put into its slot. If `needs_close` is true (there
    // are transforms of whole batches) and this was the last sample of a batch without failures, returns the batch.
    // Then no other thread touches the batch before close().
    [[nodiscard]] Batch* finish(const Task& task, std::exception_ptr failure, bool needs_close);
    // [worker] Completes a task whose finish() returned a batch.
    void close(const Task& task, std::exception_ptr failure);

    // [any thread] Bytes of all batches in flight.
    [[nodiscard]] std::uint64_t held_bytes() const;
    // [any thread] Sets the figures about workers and prefetch.
    void add_to(LoaderFigures& figures) const;

private:
    // The next sample to make.
    struct Cursor {
        std::uint64_t sequence = 0;  // of its batch
        std::int64_t taken = 0;      // samples of that batch that were taken
        std::uint64_t end = 0;       // one past the last batch to make
    };

    void drop_held();
    [[nodiscard]] bool has_task() const;
    [[nodiscard]] bool wanted_is_whole() const;
    [[nodiscard]] Wanted whole_wanted();
    Task take_next();
    std::exception_ptr begin_batch(const BatchLayout::Extent& extent);
    void end_task(const BatchSlot& slot);

    const std::string purpose_;
    const BatchLayout& layout_;

    mutable std::mutex mutex_;          // guards what follows, but not the bytes of the batches
    std::condition_variable_any work_;  // signals workers: there may be a task, or room
    std::condition_variable done_;      // signals the caller: the wanted batch may be whole, or no task is in progress
    InFlightBatches in_flight_;         // the in-flight batches, from the wanted batch on
    std::uint64_t wanted_ = 0;          // only the caller writes wanted_ and held_
    bool held_ = false;                 // the caller has the wanted batch
    Cursor next_;
    int waiting_ = 0;  // threads in wait_for_room()
    std::int64_t prefetch_;
    ThreadSeconds workers_;  // threads that may take tasks; 1 if only the caller does
    ThreadSeconds at_work_;  // threads that have a task
    bool draining_ = true;   // no task starts: before the first restart(), and during one
};

}  // namespace sluice::data
