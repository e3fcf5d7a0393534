// The batches in flight: threads take their samples as tasks, and the caller takes the batches in order. Private to
// this folder.
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
#include "data/loader/batch_lines.hpp"
#include "data/loader/figures.hpp"
#include "data/loader/thread_seconds.hpp"
#include "data/loader/tuner.hpp"

namespace sluice::data {

// [caller]: the one thread that takes batches. The others are [worker], or [any thread]. A task that was taken has to
// be finished, whatever comes of it.
class BatchQueue {
public:
    // One sample to make.
    struct Task {
        BatchSlot* slot = nullptr;
        std::int64_t position = 0;  // in the batch
        std::uint64_t epoch = 0;
        std::uint64_t epoch_position = 0;  // the same in the epoch's order
        std::exception_ptr failure;        // of the whole batch, of which nothing is made then
    };
    struct Wanted {
        const BatchSlot& slot;
        std::uint64_t ready = 0;  // batches in flight that are whole, that one with them
    };
    // How the caller waits: see await().
    struct Waiting {
        double stall_seconds = 0.0;
        const std::function<bool()>& stop;
        std::function<void(double)> stalled;
    };

    // `purpose` opens messages. Nothing is made before the first restart().
    BatchQueue(std::string purpose, const BatchLayout& layout, BatchLines lines, const Effort& effort);

    // [caller] Drops the batches in flight once no task is in progress, and goes on at `sequence`. No batch from `end`
    // on is made.
    void restart(std::uint64_t sequence, std::uint64_t end);
    // [caller] The batch that wait_for_wanted() gives next, or which hold() holds.
    [[nodiscard]] std::uint64_t wanted() const;
    // [caller] Drops the held batch and waits for the next, which stays the wanted one until it is held. Throws
    // Error(Exit::data) at the end, and Stopped.
    Wanted wait_for_wanted(const Waiting& waiting);
    // [caller] The wanted batch is the caller's until the next wait_for_wanted() or take_wanted().
    void hold();
    // [caller] Batches after the held one that are whole, up to the first that is not.
    [[nodiscard]] std::uint64_t ready() const;
    // [caller] Workers with a number of at least `effort.workers` sleep from now on.
    void set_effort(const Effort& effort);

    // [worker] Waits for a task. Nothing if `stop` was requested.
    std::optional<Task> take(std::size_t worker, const std::stop_token& stop);
    // [caller] A task of the wanted batch, if there are no workers; drops a held batch first. Nothing if all its
    // samples are there.
    std::optional<Task> take_wanted();
    // [worker] Gives the task's batch the shapes of its first sample. False if there is no room for them now; `bytes`
    // is what the batch would hold then.
    bool shape(const Task& task, const Sample& sample, std::uint64_t& bytes);
    // [worker] Until the task's batch may hold `bytes`, at the latest when it is the wanted one. Throws Stopped if that
    // will never be.
    void wait_for_room(const Task& task, std::uint64_t bytes, const std::stop_token& stop);
    // [worker] The task's sample is bad, and no other takes its place.
    void leave_out(const Task& task, BadSample sample);
    // [worker] Others took the places of these.
    void replace(const Task& task, std::vector<BadSample> samples);
    // [worker] `failure`: null if the sample was put into its slot. Returns the batch if it was the last sample, all
    // went well, and `needs_close` says that more is done to whole batches: nobody else touches it before close().
    [[nodiscard]] Batch* finish(const Task& task, std::exception_ptr failure, bool needs_close);
    // [worker] Ends a task whose finish() returned a batch.
    void close(const Task& task, std::exception_ptr failure);

    // [any thread] Sets the figures of threads.
    void add_to(LoaderFigures& figures) const;

private:
    // The next sample to make.
    struct Cursor {
        std::uint64_t sequence = 0;  // of its batch
        std::int64_t taken = 0;      // samples of that batch before it
        std::uint64_t end = 0;       // of batches
    };

    void drop_held();
    [[nodiscard]] bool has_task() const;
    [[nodiscard]] bool wanted_is_whole() const;
    Task take_next();
    std::exception_ptr begin_batch(const BatchLayout::Extent& extent);
    void end_task(const BatchSlot& slot);

    const std::string purpose_;
    const BatchLayout& layout_;

    mutable std::mutex mutex_;          // guards what follows, but not the bytes of the batches
    std::condition_variable_any work_;  // there may be a task, or room
    std::condition_variable done_;      // the wanted batch may be whole, or nothing is in progress
    BatchLines lines_;                  // from the wanted batch on, as far as they were begun
    std::uint64_t wanted_ = 0;          // written by the caller alone, as held_ is
    bool held_ = false;                 // the caller has the wanted batch
    Cursor next_;
    int waiting_ = 0;  // threads with a sample of a batch for which there is no room yet
    std::int64_t prefetch_;
    ThreadSeconds workers_;  // that may take tasks; 1 if only the caller does
    ThreadSeconds at_work_;  // that have a task
    bool draining_ = true;   // nothing starts: before the first restart(), and during one
};

}  // namespace sluice::data
