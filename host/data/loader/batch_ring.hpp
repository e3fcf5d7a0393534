// The loader's engine: workers fill a ring of reused batches sample by sample, in order. Private to this folder.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "data/chain/bad_samples.hpp"
#include "data/chain/chain.hpp"
#include "data/loader/autotuner_driver.hpp"
#include "data/loader/batch_layout.hpp"
#include "data/loader/batch_queue.hpp"
#include "data/loader/epoch_hashes.hpp"
#include "data/loader/fingerprint.hpp"
#include "data/loader/label_check.hpp"
#include "data/loader/loader.hpp"
#include "data/loader/loader_meter.hpp"
#include "data/loader/sample_maker.hpp"
#include "data/loader/stall_report.hpp"

namespace sluice::data {

// Only one thread calls it, except for figures().
class BatchRing {
public:
    // `fields`: numbers of the chain's fields that go into batches.
    BatchRing(const Chain& chain, LoaderOptions options, const std::vector<std::size_t>& fields);
    ~BatchRing();

    [[nodiscard]] std::uint64_t batches_per_epoch() const { return layout_.per_epoch(); }
    // Call the next two before the first restart().
    void expect_labels(std::vector<registry::LabelReader> readers) { maker_.expect_labels(std::move(readers)); }
    void make_only(std::function<SampleRange(std::int64_t)> own);
    [[nodiscard]] bool makes_all() const { return layout_.makes_all(); }
    // Lowers the priority of each worker when it takes its next task.
    void give_way();
    // Drops the batches in flight and continues at `sequence`, as BatchLayout counts batches.
    void restart(std::uint64_t sequence, const LoaderState& state);
    // Returns a batch that is valid until the next call. Throws what the batch's samples threw; that batch stays the
    // next one.
    const Batch& next();
    [[nodiscard]] const EpochHashes& hashes() const;
    void join_hashes(std::span<const std::string> of_all) { hashes_.join(of_all); }
    [[nodiscard]] LoaderState state() const;
    [[nodiscard]] std::string order_fingerprint() const { return data::order_fingerprint(chain_, options_.shuffle); }
    [[nodiscard]] const ClassNames& class_names() const { return chain_.class_names(); }
    // [any thread]
    [[nodiscard]] LoaderFigures figures() const;
    [[nodiscard]] std::uint64_t ready() const { return queue_.ready(); }
    [[nodiscard]] bool has_given_up() const { return stalls_.has_given_up(); }
    // Seconds that the last next() took.
    [[nodiscard]] double waited() const;
    // Excludes the time until the next next() from the autotuner's measurement.
    void note_pause() { tuning_.pause(); }

private:
    void make_wanted();
    void tune(const BatchSlot& slot);
    void work(const std::stop_token& stop, std::size_t number);

    const Chain& chain_;
    const LoaderOptions options_;
    BatchLayout layout_;
    AutotunerDriver tuning_;
    BatchQueue queue_;
    SampleMaker maker_;
    std::deque<SampleMaker::Worker> workers_;  // one for each thread; one for the caller if there are none
    LoaderMeter meter_;
    StallReport stalls_;
    EpochHashes hashes_;
    BadSamples bad_;
    double waited_ = 0.0;
    std::atomic<bool> gives_way_{false};
    std::vector<std::jthread> threads_;  // last member: joined before the others are destroyed
};

}  // namespace sluice::data
