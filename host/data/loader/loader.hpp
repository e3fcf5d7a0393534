// Batches, made ahead by persistent threads and handed out in order. The bytes are the same for any number of threads
// and any prefetch.
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
    std::int64_t workers = 1;   // threads; 0: samples are made by the caller inside next()
    std::int64_t prefetch = 2;  // batches made ahead
    // Where these are more, both are raised while the caller has to wait and it helps (data/loader/tuner.hpp).
    std::int64_t most_workers = 0;
    std::int64_t most_prefetch = 0;
    // That batches made ahead may take; 0: any number. Where it has no room for as many as `most_prefetch` or, where
    // that is less, `prefetch` asks for, the latter is told.
    std::uint64_t ahead_bytes = 0;
    std::uint64_t seed = 0;
    bool tells_effort = true;  // what workers and prefetch were raised to and why no further, in the log
    bool one_ahead = false;    // at least, whatever it takes
    bool shuffle = false;
    bool leave_out_bad = false;  // samples that fail, however many, are in Batch::left_out; skip_bad says nothing then
    bool one_pass = false;  // stops at the end of the epoch until seek(): nothing is made for a pass that may not come
    // Different samples that may fail, and others take their places; 0: the first one ends it.
    std::int64_t skip_bad = 0;
    // Seconds after which a batch that does not come is told of, with what the threads are at; 0: never.
    double stall_seconds = 60.0;
    std::int64_t most_stalls = 0;     // so often, then it is given up: Error(Exit::data); 0: never
    std::function<bool()> stop{};     // asked while next() waits for others; empty: never
    std::vector<std::string> fields;  // those that go into batches; others are not copied
};

// Of a batch: those from begin to before end.
struct SampleRange {
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

struct Batch {
    std::uint64_t epoch = 0;
    std::uint64_t number = 0;         // within the epoch, from 0
    std::int64_t count = 0;           // samples in it; the last of an epoch may have fewer than the batch size
    SampleRange made;                 // samples that are there: all, but for make_only() and those left out
    std::vector<BadSample> left_out;  // by their positions, whose bytes mean nothing; none where it is not asked for
    std::vector<NamedTensor> fields;  // [count, ...], in the order of LoaderOptions.fields
    std::vector<std::string> names;   // of the samples, for messages
};

// What a loader knows of the batches before one of its epoch: of a run that goes on.
struct LoaderPast {
    std::string digest_state;                // of EpochDigest; empty: not known
    std::uint64_t digested = 0;              // batches of the epoch that it covers
    std::vector<std::uint64_t> bad_samples;  // let pass so far, in any epoch
};

// The caller asked to stop while next() waited: that batch stays the next one.
class Stopped : public std::exception {
public:
    [[nodiscard]] const char* what() const noexcept override { return "stopped while a batch was awaited"; }
};

class Loader {
public:
    Loader(const Chain& chain, const LoaderOptions& options);
    // Stops and joins the threads; never waits for more than the samples in progress.
    ~Loader();

    [[nodiscard]] std::uint64_t batches_per_epoch() const;
    // Samples whose class numbers one of the readers does not take fail; told before the first seek().
    void expect_labels(std::vector<registry::LabelReader> readers);
    // Where several processes have the same batches and each needs some of the samples: `own` says, for the number of
    // samples in a batch, which, one at least. Others are not made: their bytes are 0 or those of an earlier sample,
    // and they have no names. Told before the first seek(); with `skip_bad` and transforms of batches it is refused.
    void make_only(std::function<SampleRange(std::int64_t count)> own);
    [[nodiscard]] bool makes_all() const;
    // From now on its threads give way to those that compute on the same cores, and work where these wait.
    void give_way();
    // Starts (again) at a position; batches follow over the ends of epochs without a pause. `past`: what past() was
    // there. Where its digest does not cover all batches before, returns how many it lacks: next() gives these first.
    std::uint64_t seek(std::uint64_t epoch, std::uint64_t batch_number, const LoaderPast& past = {});
    // The next batch, valid until the next call; blocks until it is there. A worker's exception is thrown here, and
    // Stopped where it is not there and LoaderOptions.stop says so. Samples that are bad and let pass are told in the
    // log.
    const Batch& next();
    // SHA-256 of the epoch's samples in their order (data/loader/epoch_digest.hpp), up to the batch that next() gave
    // last. Empty where those before a seek() are not known, or those of other processes since the last join_hashes().
    [[nodiscard]] std::string digest() const;
    [[nodiscard]] LoaderPast past() const;
    // As the chain has them.
    [[nodiscard]] const ClassNames& class_names() const;
    // Another where samples come in another order (data/loader/witness.hpp).
    [[nodiscard]] std::string order_witness() const;
    // Of make_only(): hashes of the samples of batches that next() gave since the last join_hashes(), as bytes.
    [[nodiscard]] std::string own_hashes() const;
    // Those of all processes, also of this one, which have had the same batches.
    void join_hashes(std::span<const std::string> of_all);
    // What the caller did since the last next() is none of its steps, such as an evaluation: it is not judged by that
    // how many threads it needs.
    void note_pause();
    // Batches behind the one that next() gave last that are made already.
    [[nodiscard]] std::uint64_t ready() const;
    // Whether a batch was given up: then the destructor may wait for ever.
    [[nodiscard]] bool has_given_up() const;
    // Seconds that the last next() waited.
    [[nodiscard]] double waited() const;
    // [any thread]
    [[nodiscard]] LoaderFigures figures() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace sluice::data
