// The data loader: persistent worker threads make batches ahead of time, and the caller gets them in order. The bytes
// do not depend on the number of workers or the prefetch.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/chain/chain.hpp"
#include "data/chain/class_names.hpp"
#include "data/loader/batch.hpp"
#include "data/loader/figures.hpp"
#include "data/loader/loader_options.hpp"
#include "data/loader/loader_state.hpp"
#include "data/loader/stopped.hpp"
#include "registry/objects/label_range.hpp"

namespace sluice::data {

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
    // [any thread] Number of consecutive batches after the last one of next() that are ready.
    [[nodiscard]] std::uint64_t ready() const;
    // True if next() gave up on a batch (most_stalls). Then the destructor may block forever.
    [[nodiscard]] bool has_given_up() const;
    // Seconds that the last next() took.
    [[nodiscard]] double waited() const;
    // The share of waited() that counts as preprocessing: that of transforms in what the threads did meanwhile.
    [[nodiscard]] double preprocess_share() const;
    // [any thread] Seconds that all threads together have read samples and transformed them so far.
    [[nodiscard]] double read_seconds() const;
    [[nodiscard]] double preprocess_seconds() const;
    // [any thread] See LoaderMeter::slowest_stage(); valid as long as the loader.
    [[nodiscard]] std::string_view slowest_stage() const;
    // [any thread] Allocates nothing.
    [[nodiscard]] InputMemory memory() const;
    // [any thread]
    [[nodiscard]] LoaderFigures figures() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace sluice::data
