#include "data/loader/batch_ring.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/machine.hpp"

namespace sluice::data {

namespace {

std::int64_t thread_count(const LoaderOptions& options) {
    return options.workers == 0 ? 0 : std::max(options.workers, options.most_workers);
}

}  // namespace

BatchRing::BatchRing(const Chain& chain, LoaderOptions options, const std::vector<std::size_t>& fields)
    : chain_(chain),
      options_(std::move(options)),
      layout_(chain.length(), options_.batch),
      tuning_(chain.purpose(), options_),
      queue_(chain.purpose(), layout_,
             InFlightBatches(fields, chain.fields(), options_.batch, {options_.ahead_bytes, options_.one_ahead}),
             tuning_.worker_settings()),
      maker_(chain, options_, queue_),
      meter_(chain.stages(), maker_.batch_stages()),
      stalls_(chain.purpose(), options_, layout_, meter_, options_.workers == 0),
      hashes_(options_.batch, !options_.one_pass),
      bad_(options_.skip_bad) {
    const std::int64_t threads = thread_count(options_);
    for (std::int64_t i = 0; i < std::max<std::int64_t>(1, threads); ++i) {
        const SampleMaker::Worker& worker = workers_.emplace_back(maker_);
        meter_.add_thread(worker.samples.times(), worker.batches.times());
    }
    // Threads beyond `workers` sleep. None is started later, because it would inherit the CPU affinity of the thread
    // that starts it.
    for (std::size_t i = 0; i < static_cast<std::size_t>(threads); ++i) {
        threads_.emplace_back([this, i](const std::stop_token& stop) { work(stop, i); });
    }
}

BatchRing::~BatchRing() {
    for (std::jthread& thread : threads_) {
        thread.request_stop();  // ask all threads to stop before the first is joined
    }
}

void BatchRing::make_only(std::function<SampleRange(std::int64_t)> own) {
    if (options_.skip_bad > 0 || maker_.batch_stages() > 0) {
        throw Error(Exit::config,
                    chain_.purpose() +
                        ": with data.skip_bad or transforms of whole batches every process must make all samples");
    }
    layout_.make_only(std::move(own));
}

void BatchRing::give_way() { gives_way_ = true; }

void BatchRing::restart(std::uint64_t sequence, const LoaderState& state) {
    const std::uint64_t end = options_.one_pass ? (layout_.at(sequence).epoch + 1) * layout_.per_epoch()
                                                : std::numeric_limits<std::uint64_t>::max();
    tuning_.pause();
    hashes_.restart(layout_.at(sequence).number, state);
    bad_.restore(state.bad_samples);
    queue_.restart(sequence, end);
}

const Batch& BatchRing::next() {
    const double start = now();
    if (threads_.empty()) {
        make_wanted();
    }
    const auto stalled = [this](double seconds) { stalls_.stalled(queue_.wanted(), seconds); };
    const auto [slot, ready] = queue_.wait_for_wanted({options_.stall_seconds, options_.stop, stalled});
    bad_.add(slot.replaced());
    const Batch& batch = slot.result(chain_.purpose());
    hashes_.add(slot, batch.number, layout_.makes_all());
    queue_.hold();
    waited_ = now() - start;
    meter_.count(batch, slot.replaced().size(), ready, waited_);
    tuning_.hand_out(waited_);
    if (!threads_.empty()) {
        tune(slot);
    }
    return batch;
}

// Makes the wanted batch in the caller's thread; there are no workers.
void BatchRing::make_wanted() {
    std::optional<BatchQueue::Task> task = queue_.take_wanted();
    stalls_.begin(queue_.wanted());
    for (; task; task = queue_.take_wanted()) {
        maker_.perform(*task, workers_.front(), {});
    }
    stalls_.end();
}

void BatchRing::tune(const BatchSlot& slot) {
    const std::uint64_t sample_bytes = slot.bytes() / static_cast<std::uint64_t>(slot.count());
    if (tuning_.adjust(sample_bytes, [this] { return meter_.busy_seconds(); })) {
        queue_.set_worker_settings(tuning_.worker_settings());
    }
    if (!tuning_.news().empty()) {
        log::info(tuning_.news());
    }
}

const EpochHashes& BatchRing::hashes() const { return hashes_; }

LoaderState BatchRing::state() const { return {hashes_.state(), hashes_.digested(), bad_.indices()}; }

LoaderFigures BatchRing::figures() const {
    LoaderFigures figures = meter_.figures();
    queue_.add_to(figures);
    return figures;
}

double BatchRing::waited() const { return waited_; }

void BatchRing::work(const std::stop_token& stop, std::size_t number) {
    SampleMaker::Worker& worker = workers_[number];
    bool has_given_way = false;
    while (const std::optional<BatchQueue::Task> task = queue_.take(number, stop)) {
        if (gives_way_ && !std::exchange(has_given_way, true)) {
            lower_own_priority();
        }
        maker_.perform(*task, worker, stop);
    }
}

}  // namespace sluice::data
