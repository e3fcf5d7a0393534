// The engine of a loader: a ring of reused batches that threads fill sample by sample, in order. Private to this
// folder.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "data/chain/bad_samples.hpp"
#include "data/chain/chain.hpp"
#include "data/loader/batch_lines.hpp"
#include "data/loader/batch_stages.hpp"
#include "data/loader/caller_clock.hpp"
#include "data/loader/label_check.hpp"
#include "data/loader/loader.hpp"
#include "data/loader/stall_watch.hpp"
#include "data/loader/thread_seconds.hpp"
#include "data/loader/tuner.hpp"
#include "data/loader/witness.hpp"

namespace sluice::data {

// Batches are counted through over all epochs: "line number" = epoch * batches_per_epoch + number.
class BatchRing {
public:
    // `fields`: which of the chain's fields go into batches.
    BatchRing(const Chain& chain, LoaderOptions options, const std::vector<std::size_t>& fields);
    ~BatchRing();

    [[nodiscard]] std::uint64_t batches_per_epoch() const { return batches_per_epoch_; }
    // Before the first restart.
    void expect_labels(std::vector<registry::LabelReader> readers) { label_readers_ = std::move(readers); }
    // Before the first restart.
    void make_only(std::function<SampleRange(std::int64_t)> own);
    [[nodiscard]] bool makes_all() const { return !own_; }
    // Of each thread, when it takes its next task.
    void give_way() { gives_way_ = true; }
    // Drops what was made ahead and goes on from there.
    void restart(std::uint64_t line_number, const LoaderPast& past);
    // Of the batches of this epoch up to the one handed out last; null where that of those before is not known, or what
    // other processes made.
    [[nodiscard]] const EpochDigest* digest() const {
        return digest_ && digested_ == handed_out_ ? &*digest_ : nullptr;
    }
    [[nodiscard]] std::string own_hashes() const { return to_bytes(made_here_); }
    void join_hashes(std::span<const std::string> of_all);
    [[nodiscard]] LoaderPast past() const;
    [[nodiscard]] std::string order_witness() const { return data::order_witness(chain_, options_.shuffle); }
    [[nodiscard]] const ClassNames& class_names() const { return chain_.class_names(); }
    [[nodiscard]] LoaderFigures figures() const;
    [[nodiscard]] std::uint64_t ready() const;
    [[nodiscard]] bool has_given_up() const { return has_given_up_; }
    // Seconds that the caller waited for the batch that next() gave.
    void add_waited(double seconds);
    // What the caller did since is none of its steps.
    void note_pause();
    // Valid until the next call. Throws what a batch's samples threw; that batch stays the next one.
    const Batch& next();

private:
    // One sample to make: `position` in the batch.
    struct Task {
        BatchSlot* slot = nullptr;
        std::int64_t position = 0;
        std::uint64_t epoch = 0;
        std::uint64_t epoch_position = 0;  // the same in the epoch's order
        std::exception_ptr failure;        // of the whole batch, of which nothing is made then
    };

    // What a thread makes samples with.
    struct Maker {
        Maker(const Chain& chain, const BatchStages& stages) : worker(chain), batches(stages) {}
        std::stop_token stop;  // of its thread
        Chain::Worker worker;
        BatchStages::Worker batches;
        std::vector<std::uint8_t*> places;  // of the sample at hand
    };

    [[nodiscard]] bool has_task() const;
    Task take_task();
    void make(const Task& task, Maker& maker, const Drawn& drawn);
    bool shape(BatchSlot& slot, const Sample& sample, std::uint64_t& bytes);
    void wait_for_room(const Task& task, std::uint64_t bytes, Maker& maker);
    void make_or_replace(const Task& task, Maker& maker);
    void leave_out(const Task& task, std::uint64_t index, const Error& error);
    [[nodiscard]] bool wanted_is_whole() const { return next_line_ > wanted_line_ && lines_.front().is_whole(); }
    [[nodiscard]] std::int64_t batches_that_fit() const;
    std::string tune();
    [[nodiscard]] std::string begin_tuning();
    void reserve_lines() { lines_.reserve(static_cast<std::size_t>(effort_.prefetch) + 1); }
    [[nodiscard]] StageSum sum_of(std::size_t stage) const;
    [[nodiscard]] double busy_seconds() const;
    void wait_until_whole(std::unique_lock<std::mutex>& lock);
    void make_wanted(std::unique_lock<std::mutex>& lock);
    void tell_of_stall(std::uint64_t line, double seconds) const;
    [[noreturn]] void give_up(double seconds);
    [[nodiscard]] std::string what_threads_do() const;
    void count(const BatchSlot& slot);
    void perform(const Task& task, Maker& maker);
    void complete(BatchSlot& slot, Maker& maker, std::unique_lock<std::mutex>& lock);
    void work(const std::stop_token& stop, std::size_t number);

    const Chain& chain_;
    const LoaderOptions options_;
    std::atomic<bool> gives_way_{false};
    const std::vector<std::size_t> fields_;
    const std::size_t stages_;  // those of batches, which come last, among them
    const BatchStages batch_stages_;
    const std::uint64_t batches_per_epoch_;
    const Sampling sampling_;
    std::vector<registry::LabelReader> label_readers_;
    std::function<SampleRange(std::int64_t)> own_;  // empty: all

    mutable std::mutex mutex_;          // guards what follows, but not the bytes of the batches
    std::condition_variable_any work_;  // there may be a task
    std::condition_variable done_;      // the wanted batch may be whole, or nothing is in progress
    BatchLines lines_;                  // from the wanted line on, as far as they were begun
    std::uint64_t wanted_line_ = 0;     // the batch that the caller holds or waits for
    bool held_ = false;                 // he holds it
    bool has_given_up_ = false;         // he waits for it no longer
    int waiting_ = 0;                   // threads with a sample of a batch for which there is no room yet
    std::optional<EpochDigest> digest_;
    std::uint64_t digested_ = 0;         // batches of the epoch that are in it
    std::uint64_t handed_out_ = 0;       // of them, up to the last
    std::vector<SampleHash> made_here_;  // where others make the rest, those that are not in the digest yet
    BadSamples bad_;
    LoaderFigures figures_;  // without those of the stages
    double start_ = now();
    std::uint64_t next_line_ = 0;   // of the next task
    std::int64_t tasks_taken_ = 0;  // of its batch
    std::int64_t in_progress_ = 0;
    ThreadSeconds at_work_;       // those that have a task
    ThreadSeconds workers_;       // those that may
    std::uint64_t end_line_ = 0;  // no task from here on
    bool draining_ = true;        // nothing starts: before the first restart, and during one
    Effort effort_;
    CallerClock caller_;
    std::optional<Tuner> tuner_;  // nothing before the first batch

    std::deque<Maker> makers_;            // one for each thread; one for the caller where there are none
    std::optional<StallWatch> watch_;     // of the caller
    std::atomic<std::uint64_t> made_{0};  // the line that he makes
    std::vector<std::jthread> threads_;   // last: they end first
};

}  // namespace sluice::data
