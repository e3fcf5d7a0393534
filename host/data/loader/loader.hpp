// The data loader: persistent worker threads make batches ahead of time, and the caller gets them in order. The bytes
// do not depend on the number of workers or the prefetch.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "data/chain/bad_samples.hpp"
#include "data/chain/chain.hpp"
#include "data/loader/figures.hpp"
#include "data/loader/label_check.hpp"

namespace sluice::data {

struct LoaderOptions {
    std::int64_t batch = 1;
    std::int64_t workers = 1;   // threads; 0: the caller makes the samples inside next()
    std::int64_t prefetch = 2;  // batches made ahead
    // Upper limits of the autotuner (data/loader/worker_autotuner.hpp). If they exceed `workers` and `prefetch`, it
    // raises both while the caller has to wait and raising helps.
    std::int64_t most_workers = 0;
    std::int64_t most_prefetch = 0;
    // Bytes that prefetched batches may take; 0: no limit. If they have no room for `prefetch` batches and
    // `most_prefetch` is less than `prefetch`, the log reports the lower number.
    std::uint64_t ahead_bytes = 0;
    std::uint64_t seed = 0;
    bool logs_tuning = true;  // logs the autotuner's workers and prefetch, and why it raised them no further
    bool one_ahead = false;   // allows one prefetched batch even if it exceeds ahead_bytes
    bool shuffle = false;
    bool leave_out_bad = false;  // bad samples, however many, go to Batch::left_out; skip_bad is ignored then
    bool one_pass = false;       // makes no batch after the end of the epoch until seek()
    // Number of different bad samples that others replace; 0: next() throws at the first.
    std::int64_t skip_bad = 0;
    // Seconds after which the log warns of a batch that does not come, with the stage of each thread; 0: never.
    double stall_seconds = 60.0;
    std::int64_t most_stalls = 0;     // after so many stall_seconds next() throws Error(Exit::data); 0: never
    std::function<bool()> stop{};     // next() polls it while it waits, and throws Stopped if it is true; may be empty
    std::vector<std::string> fields;  // the fields that go into batches; others are not copied
};

// Positions in a batch, from `begin` to before `end`.
struct SampleRange {
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

struct Batch {
    std::uint64_t epoch = 0;
    std::uint64_t number = 0;         // within the epoch, from 0
    std::int64_t count = 0;           // samples in it; the last of an epoch may have fewer than the batch size
    SampleRange made;                 // samples that this process made: all, unless make_only() limits them
    std::vector<BadSample> left_out;  // in order of position; their bytes are undefined; empty unless leave_out_bad
    std::vector<NamedTensor> fields;  // [count, ...], in the order of LoaderOptions.fields
    std::vector<std::string> names;   // of the samples, for messages
};

// The loader's state at a position, for a checkpoint: the epoch's digest so far and the bad samples.
struct LoaderState {
    std::string digest_state;                // of EpochDigest; empty: not known
    std::uint64_t digested = 0;              // batches of the epoch that the digest covers
    std::vector<std::uint64_t> bad_samples;  // indices of replaced samples so far, in any epoch
};

// LoaderOptions::stop returned true while next() waited. That batch stays the next one.
class Stopped : public std::exception {
public:
    [[nodiscard]] const char* what() const noexcept override { return "stopped while waiting for a batch"; }
};

class Loader {
public:
    Loader(const Chain& chain, const LoaderOptions& options);
    // Stops and joins the threads. Waits only for the samples in progress.
    ~Loader();

    [[nodiscard]] std::uint64_t batches_per_epoch() const;
    // Makes a sample bad if one of the readers does not accept its class number. Call it before the first seek().
    void expect_labels(std::vector<registry::LabelReader> readers);
    // For several processes that have the same batches, each of which needs only some samples. `own` maps the number of
    // samples in a batch to the range that this process needs, at least one. Other samples are not made: their bytes
    // are 0 or those of an earlier sample, and they have no names. Call it before the first seek(). Throws
    // Error(Exit::config) with `skip_bad` or transforms of whole batches.
    void make_only(std::function<SampleRange(std::int64_t count)> own);
    [[nodiscard]] bool makes_all() const;
    // Lowers the priority of the worker threads from now on, so that they use the cores only while compute threads
    // wait.
    void give_way();
    // Starts, or restarts, at a position. Batches continue over the ends of epochs without a pause. `state`: state() as
    // it was at that position. If it has a digest of fewer batches than come before the position, returns the
    // difference; next() then returns those batches first.
    std::uint64_t seek(std::uint64_t epoch, std::uint64_t batch_number, const LoaderState& state = {});
    // Returns the next batch, which is valid until the next call; blocks until it is ready. Rethrows the exception of
    // a worker. Throws Stopped if LoaderOptions.stop returns true while it waits. Logs bad samples that were replaced.
    const Batch& next();
    // SHA-256 over the epoch's samples in order (data/loader/epoch_digest.hpp), up to the last batch of next(). Empty
    // if the samples before a seek() are not known, or those of other processes since the last join_hashes().
    [[nodiscard]] std::string digest() const;
    [[nodiscard]] LoaderState state() const;
    // The chain's class names.
    [[nodiscard]] const ClassNames& class_names() const;
    // Fingerprint of the order of samples (data/loader/fingerprint.hpp).
    [[nodiscard]] std::string order_fingerprint() const;
    // With make_only(): hashes of this process's samples in the batches since the last join_hashes(), as bytes.
    [[nodiscard]] std::string own_hashes() const;
    // Merges own_hashes() of all processes, including this one, into the digest. All must have had the same batches.
    void join_hashes(std::span<const std::string> of_all);
    // Excludes the time since the last next(), such as an evaluation, from what the autotuner measures.
    void note_pause();
    // Number of consecutive batches after the last one of next() that are ready.
    [[nodiscard]] std::uint64_t ready() const;
    // True if next() gave up on a batch (most_stalls). Then the destructor may block forever.
    [[nodiscard]] bool has_given_up() const;
    // Seconds that the last next() took.
    [[nodiscard]] double waited() const;
    // [any thread]
    [[nodiscard]] LoaderFigures figures() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace sluice::data
