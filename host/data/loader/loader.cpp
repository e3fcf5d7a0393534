#include "data/loader/loader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <iterator>
#include <limits>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/machine.hpp"
#include "base/text/nearest.hpp"
#include "data/loader/autotuner_driver.hpp"
#include "data/loader/batch_layout.hpp"
#include "data/loader/batch_queue.hpp"
#include "data/loader/epoch_hashes.hpp"
#include "data/loader/fingerprint.hpp"
#include "data/loader/loader_meter.hpp"
#include "data/loader/sample_maker.hpp"
#include "data/loader/stall_report.hpp"
#include "profile/recorder.hpp"

namespace sluice::data {
namespace {

void check_options(const Chain& chain, const LoaderOptions& options) {
    if (options.batch < 1 || options.workers < 0 || options.prefetch < 0 || options.skip_bad < 0) {
        throw Error(Exit::config, chain.purpose() + ": batch = " + std::to_string(options.batch) +
                                      ", workers = " + std::to_string(options.workers) +
                                      ", prefetch = " + std::to_string(options.prefetch) +
                                      ", skip_bad = " + std::to_string(options.skip_bad) +
                                      "; batch must be at least 1, the others at least 0");
    }
}

// The number of each wanted field in the chain's samples.
std::vector<std::size_t> find_fields(const Chain& chain, std::span<const std::string> wanted) {
    const std::span<const registry::Field> fields = chain.fields();
    std::vector<std::string> names;
    std::ranges::transform(fields, std::back_inserter(names), &registry::Field::name);
    std::vector<std::size_t> numbers;
    for (const std::string& name : wanted) {
        const auto found = std::ranges::find(fields, name, &registry::Field::name);
        if (found == fields.end()) {
            throw Error(Exit::config,
                        chain.purpose() + ": its samples have no field '" + name + "'" + suggestion(name, names));
        }
        if (found->role == SLUICE_FIELD_ENCODED) {
            throw Error(Exit::config, chain.purpose() + ": field '" + name +
                                          "' holds whole JPEG or PNG files, which cannot form a batch; put { use = "
                                          "\"decode\" } into the map");
        }
        if (found->spec.rank >= SLUICE_MAX_RANK) {
            throw Error(Exit::config, chain.purpose() + ": field '" + name + "' is " + to_string(found->spec) +
                                          "; a batch of it would have more than 8 dimensions");
        }
        numbers.push_back(static_cast<std::size_t>(found - fields.begin()));
    }
    return numbers;
}

void warn_of_frozen_draws(const Chain& chain) {
    const std::span<const std::string> names = chain.drawn_once();
    if (!names.empty()) {
        const bool is_one = names.size() == 1;
        log::warn(
            fmt::format("{}: '{}' {} at random and {} before 'cache': each sample is drawn once and is the same in all "
                        "epochs; put {} after the cache if samples should differ",
                        chain.purpose(), fmt::join(names, "', '"), is_one ? "draws" : "draw",
                        is_one ? "stands" : "stand", is_one ? "it" : "them"));
    }
}

// For each stage, whether it reads samples.
std::vector<bool> find_reading_stages(const Chain& chain) {
    std::vector<bool> reads;
    for (std::size_t stage = 0; stage < chain.stages().size(); ++stage) {
        reads.push_back(chain.reads(stage));
    }
    return reads;
}

std::int64_t thread_count(const LoaderOptions& options) {
    return options.workers == 0 ? 0 : std::max(options.workers, options.most_workers);
}

}  // namespace

// Workers fill reused batches sample by sample, in order; the caller takes the batches.
struct Loader::State {
    // `fields`: numbers of the chain's fields that go into batches.
    State(const Chain& of, LoaderOptions given, const std::vector<std::size_t>& fields)
        : chain(of),
          options(std::move(given)),
          layout(chain.length(), options.batch),
          tuning(chain.purpose(), options),
          queue(chain.purpose(), layout,
                InFlightBatches(fields, chain.fields(), options.batch,
                                {options.prefetch_bytes, options.allows_one_prefetched}),
                tuning.worker_settings()),
          maker(chain, options, queue),
          meter(chain.stages(), maker.batch_stages(), find_reading_stages(chain)),
          stalls(chain.purpose(), options, layout, meter, options.workers == 0),
          hashes(options.batch, !options.one_pass),
          bad(options.skip_bad) {
        const std::int64_t count = thread_count(options);
        for (std::int64_t i = 0; i < std::max<std::int64_t>(1, count); ++i) {
            const SampleMaker::Worker& worker = workers.emplace_back(maker);
            meter.add_thread(worker.samples.times(), worker.batches.times());
        }
        // Threads beyond `workers` sleep. None is started later, because it would inherit the CPU affinity of the
        // thread that starts it.
        for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
            threads.emplace_back([this, i](const std::stop_token& stop) { work(stop, i); });
        }
    }
    ~State() {
        for (std::jthread& thread : threads) {
            thread.request_stop();  // ask all threads to stop before the first is joined
        }
    }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    // The body of a worker's thread.
    void work(const std::stop_token& stop, std::size_t number) {
        profile::name_thread(SLUICE_THREAD_INPUT, fmt::format("input {}", number));
        SampleMaker::Worker& worker = workers[number];
        bool has_given_way = false;
        while (const std::optional<BatchQueue::Task> task = queue.take(number, stop)) {
            if (gives_way && !std::exchange(has_given_way, true)) {
                lower_own_priority();
            }
            maker.perform(*task, worker, stop);
        }
    }

    // Makes the wanted batch in the caller's thread; there are no workers.
    void make_wanted() {
        std::optional<BatchQueue::Task> task = queue.take_wanted();
        stalls.begin(queue.wanted());
        for (; task; task = queue.take_wanted()) {
            maker.perform(*task, workers.front(), {});
        }
        stalls.end();
    }

    // Makes the wanted batch, or waits for it.
    BatchQueue::Wanted make_or_wait() {
        const LoaderMeter::InputSeconds before = meter.input_seconds();
        if (threads.empty()) {
            make_wanted();
        }
        const auto stalled = [this](double seconds) { stalls.stalled(queue.wanted(), seconds); };
        const BatchQueue::Wanted wanted = queue.wait_for_wanted({options.stall_seconds, options.stop, stalled});
        divide_wait(before);
        return wanted;
    }

    // Divides a wait that began at `before` by what all threads did meanwhile.
    void divide_wait(const LoaderMeter::InputSeconds& before) {
        const LoaderMeter::InputSeconds after = meter.input_seconds();
        const double preprocess = after.preprocess - before.preprocess;
        const double all = after.read - before.read + preprocess;
        wait.preprocess_share = all > 0.0 ? preprocess / all : 0.0;
    }

    void tune(const BatchSlot& slot) {
        const std::uint64_t sample_bytes = slot.bytes() / static_cast<std::uint64_t>(slot.count());
        if (tuning.adjust(sample_bytes, [this] { return meter.busy_seconds(); })) {
            queue.set_worker_settings(tuning.worker_settings());
        }
        if (!tuning.news().empty()) {
            log::info(tuning.news());
        }
    }

    const Chain& chain;
    const LoaderOptions options;
    BatchLayout layout;
    AutotunerDriver tuning;
    BatchQueue queue;
    SampleMaker maker;
    std::deque<SampleMaker::Worker> workers;  // one for each thread; one for the caller if there are none
    LoaderMeter meter;
    StallReport stalls;
    EpochHashes hashes;
    BadSamples bad;
    struct LastWait {
        double seconds = 0.0;
        double preprocess_share = 0.0;
    };
    LastWait wait;           // how long the last next() took
    bool has_begun = false;  // seek() was called
    std::atomic<bool> gives_way{false};
    std::vector<std::jthread> threads;  // last member: joined before the others are destroyed
};

Loader::Loader(const Chain& chain, const LoaderOptions& options) {
    check_options(chain, options);
    state_ = std::make_unique<State>(chain, options, find_fields(chain, options.fields));
    if (!options.one_pass) {
        warn_of_frozen_draws(chain);
    }
}

Loader::~Loader() = default;

std::uint64_t Loader::batches_per_epoch() const { return state_->layout.per_epoch(); }

void Loader::expect_labels(std::vector<registry::LabelReader> readers) {
    state_->maker.expect_labels(std::move(readers));
}

void Loader::make_only(std::function<SampleRange(std::int64_t)> own) {
    if (state_->options.skip_bad > 0 || state_->maker.batch_stages() > 0) {
        throw Error(Exit::config,
                    state_->chain.purpose() +
                        ": with data.skip_bad or transforms of whole batches every process must make all samples");
    }
    state_->layout.make_only(std::move(own));
}

bool Loader::makes_all() const { return state_->layout.makes_all(); }

// Each worker lowers its priority when it takes its next task.
void Loader::give_way() { state_->gives_way = true; }

std::uint64_t Loader::seek(std::uint64_t epoch, std::uint64_t batch_number, const LoaderState& state) {
    const bool continues = !state.digest_state.empty() && state.digested < batch_number;
    const std::uint64_t first = continues ? state.digested : batch_number;
    const std::uint64_t sequence = epoch * batches_per_epoch() + first;
    const BatchLayout::Extent extent = state_->layout.at(sequence);
    state_->tuning.pause();
    state_->hashes.restart(extent.number, state.digest_state);
    state_->bad.restore(state.bad_samples);
    state_->queue.restart(sequence, state_->options.one_pass ? (extent.epoch + 1) * batches_per_epoch()
                                                             : std::numeric_limits<std::uint64_t>::max());
    state_->has_begun = true;
    return batch_number - first;
}

const Batch& Loader::next() {
    if (!state_->has_begun) {
        seek(0, 0);
    }
    State& state = *state_;
    const double start = now();
    const std::optional<BatchQueue::Wanted> wanted = state.queue.wanted_if_whole();
    const auto [slot, ready] = wanted ? *wanted : state.make_or_wait();
    state.bad.add(slot.replaced());
    const Batch& batch = slot.result(state.chain.purpose());
    state.hashes.add(slot, batch.number, state.layout.makes_all());
    state.queue.hold();
    state.wait.seconds = now() - start;
    state.meter.count(batch, slot.replaced().size(), ready, state.wait.seconds);
    state.tuning.hand_out(state.wait.seconds);
    if (!state.threads.empty()) {
        state.tune(slot);
    }
    return batch;
}

std::string Loader::digest() const {
    const EpochDigest* const digest = state_->hashes.digest();
    return digest != nullptr ? digest->text() : "";
}

std::string Loader::own_hashes() const { return state_->hashes.own(); }

void Loader::join_hashes(std::span<const std::string> of_all) { state_->hashes.join(of_all); }

const ClassNames& Loader::class_names() const { return state_->chain.class_names(); }

std::string Loader::order_fingerprint() const {
    return data::order_fingerprint(state_->chain, state_->options.shuffle);
}

LoaderState Loader::state() const { return {state_->hashes.state(), state_->hashes.digested(), state_->bad.indices()}; }

void Loader::note_pause() { state_->tuning.pause(); }

std::uint64_t Loader::ready() const { return state_->queue.ready(); }

bool Loader::has_given_up() const { return state_->stalls.has_given_up(); }

double Loader::waited() const { return state_->wait.seconds; }

double Loader::preprocess_share() const { return state_->wait.preprocess_share; }

double Loader::read_seconds() const { return state_->meter.input_seconds().read; }

double Loader::preprocess_seconds() const { return state_->meter.input_seconds().preprocess; }

std::string_view Loader::slowest_stage() const { return state_->meter.slowest_stage(); }

InputMemory Loader::memory() const { return {state_->queue.held_bytes(), state_->chain.cache_bytes()}; }

LoaderFigures Loader::figures() const {
    LoaderFigures figures = state_->meter.figures();
    state_->queue.add_to(figures);
    return figures;
}

}  // namespace sluice::data
