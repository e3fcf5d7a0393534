#include "data/loader/batch_ring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <limits>
#include <utility>

#include "base/byte_size.hpp"
#include "base/counted.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/machine.hpp"
#include "data/loader/awaiting.hpp"

namespace sluice::data {

namespace {

// How large a batch is, and how many have room, is known when the first is there.
std::int64_t first_prefetch(const LoaderOptions& options) {
    return options.ahead_bytes > 0 ? std::min<std::int64_t>(options.prefetch, 1) : options.prefetch;
}

BadSample bad_sample(std::int64_t position, std::uint64_t index, const Error& error) {
    const auto* const its = dynamic_cast<const SampleError*>(&error);
    return {.position = position,
            .index = index,
            .what = error.what(),
            .place = its != nullptr ? its->place() : std::to_string(index),
            .reason = its != nullptr ? its->reason() : error.what()};
}

}  // namespace

BatchRing::BatchRing(const Chain& chain, LoaderOptions options, const std::vector<std::size_t>& fields)
    : chain_(chain),
      options_(std::move(options)),
      fields_(fields),
      stages_(chain.stages().size()),
      batch_stages_(chain, options_.fields),
      batches_per_epoch_((chain.length() - 1) / static_cast<std::uint64_t>(options_.batch) + 1),
      sampling_(chain.draws(), options_.seed, options_.shuffle),
      lines_(fields_, chain.fields(), options_.batch, {options_.ahead_bytes, options_.one_ahead}),
      bad_(options_.skip_bad),
      effort_{options_.workers, first_prefetch(options_)} {
    const std::int64_t most = options_.workers == 0 ? 0 : std::max(options_.workers, options_.most_workers);
    for (std::int64_t i = 0; i < std::max<std::int64_t>(1, most); ++i) {
        makers_.emplace_back(chain, batch_stages_);
    }
    reserve_lines();
    workers_.set(std::max<std::int64_t>(1, options_.workers));
    if (most == 0 && options_.stall_seconds > 0.0) {
        watch_.emplace(options_.stall_seconds, [this](double seconds) { tell_of_stall(made_, seconds); });
    }
    // Those beyond effort_.workers sleep. None is started later: it would run where its starter is pinned.
    for (std::size_t i = 0; i < static_cast<std::size_t>(most); ++i) {
        threads_.emplace_back([this, i](const std::stop_token& stop) { work(stop, i); });
    }
}

BatchRing::~BatchRing() {
    for (std::jthread& thread : threads_) {
        thread.request_stop();  // all of them before the first is joined
    }
}

void BatchRing::make_only(std::function<SampleRange(std::int64_t)> own) {
    if (options_.skip_bad > 0 || batch_stages_.count() > 0) {
        throw Error(Exit::config,
                    chain_.purpose() + ": with data.skip_bad or transforms of whole batches all samples are made");
    }
    own_ = std::move(own);
}

void BatchRing::join_hashes(std::span<const std::string> of_all) {
    if (digest_) {
        for (const SampleHash& sample : in_order(of_all)) {
            digest_->add(sample.index, sample.hash);
        }
        digested_ = handed_out_;
    }
    made_here_.clear();
}

void BatchRing::restart(std::uint64_t line_number, const LoaderPast& past) {
    {
        std::unique_lock lock(mutex_);
        draining_ = true;
        work_.notify_all();  // those that wait for room
        done_.wait(lock, [&] { return in_progress_ == 0; });
        wanted_line_ = line_number;
        next_line_ = line_number;
        end_line_ = options_.one_pass ? (line_number / batches_per_epoch_ + 1) * batches_per_epoch_
                                      : std::numeric_limits<std::uint64_t>::max();
        tasks_taken_ = 0;
        lines_.clear();
        caller_.pause();
        held_ = false;
        digest_ = EpochDigest::of_state(past.digest_state);
        handed_out_ = line_number % batches_per_epoch_;
        digested_ = handed_out_;
        made_here_.clear();
        bad_.restore(past.bad_samples);
        draining_ = false;
    }
    work_.notify_all();
}

const Batch& BatchRing::next() {
    std::unique_lock lock(mutex_);
    if (held_) {
        ++wanted_line_;
        lines_.drop_front();
        held_ = false;
        // Workers are woken when half of what is made ahead is used up: once for several batches, but before the last.
        if (waiting_ > 0 || next_line_ <= wanted_line_ + (static_cast<std::uint64_t>(effort_.prefetch) + 1) / 2) {
            work_.notify_all();
        }
    }
    if (wanted_line_ >= end_line_) {
        throw Error(Exit::data, chain_.purpose() + ": one pass was asked for, and it has ended");
    }
    if (threads_.empty()) {
        make_wanted(lock);
    } else {
        wait_until_whole(lock);
    }
    const BatchSlot& slot = lines_.front();
    bad_.add(slot.replaced());
    const Batch& batch = slot.result(chain_.purpose());
    if (batch.number == 0) {
        digest_.emplace();
        digested_ = 0;
        made_here_.clear();
    }
    handed_out_ = batch.number + 1;
    if (digest_ && !own_) {
        slot.add_to(*digest_);
        digested_ = handed_out_;
    } else if (digest_ && !options_.one_pass) {
        slot.add_to(made_here_, batch.number * static_cast<std::uint64_t>(options_.batch));
    }
    held_ = true;
    count(slot);
    return batch;
}

// Under the mutex.
void BatchRing::count(const BatchSlot& slot) {
    ++figures_.batches;
    figures_.samples += static_cast<std::uint64_t>(slot.own().end - slot.own().begin);
    figures_.replaced += slot.replaced().size();
    for (std::uint64_t line = wanted_line_; line < next_line_; ++line) {
        figures_.ready += lines_[line - wanted_line_].is_whole() ? 1 : 0;
    }
}

std::uint64_t BatchRing::ready() const {
    const std::lock_guard lock(mutex_);
    const std::uint64_t next = wanted_line_ + (held_ ? 1 : 0);
    std::uint64_t count = 0;
    while (next + count < next_line_ && lines_[next + count - wanted_line_].is_whole()) {
        ++count;
    }
    return count;
}

// By the caller, who is the only thread.
void BatchRing::make_wanted(std::unique_lock<std::mutex>& lock) {
    made_ = wanted_line_;
    if (watch_) {
        watch_->begin();
    }
    while (!wanted_is_whole()) {
        const Task task = take_task();
        lock.unlock();
        perform(task, makers_.front());
        lock.lock();
    }
    if (watch_) {
        watch_->end();
    }
}

void BatchRing::wait_until_whole(std::unique_lock<std::mutex>& lock) {
    await(
        done_, lock, options_.stall_seconds, options_.stop, [this] { return wanted_is_whole(); },
        [this](double seconds) {
            const auto stalls = static_cast<std::int64_t>(seconds / options_.stall_seconds);
            options_.most_stalls > 0 && stalls >= options_.most_stalls ? give_up(seconds)
                                                                       : tell_of_stall(wanted_line_, seconds);
        });
}

LoaderPast BatchRing::past() const { return {digest_ ? digest_->state() : "", digested_, bad_.indices()}; }

// Under the mutex. A line that the caller wants needs no room.
bool BatchRing::has_task() const {
    return !draining_ && next_line_ <= wanted_line_ + static_cast<std::uint64_t>(effort_.prefetch) &&
           next_line_ < end_line_ && (tasks_taken_ > 0 || lines_.has_room());
}

// Under the mutex, where has_task().
BatchRing::Task BatchRing::take_task() {
    const std::uint64_t epoch = next_line_ / batches_per_epoch_;
    const std::uint64_t first = next_line_ % batches_per_epoch_ * static_cast<std::uint64_t>(options_.batch);
    const auto count =
        static_cast<std::int64_t>(std::min(static_cast<std::uint64_t>(options_.batch), chain_.length() - first));
    std::exception_ptr failure;
    if (tasks_taken_ == 0) {
        BatchSlot& slot = lines_.begin(count);
        try {
            slot.open(epoch, next_line_ % batches_per_epoch_, count, own_ ? own_(count) : SampleRange{0, count});
        } catch (const std::exception& error) {  // of its buffers
            failure = std::make_exception_ptr(
                Error(Exit::device, fmt::format("{}: out of memory for a batch of {} ({}); a smaller "
                                                "data.batch or data.prefetch takes less",
                                                chain_.purpose(), counted(count, "sample"), error.what())));
            slot.refuse();
        }
    }
    const SampleRange& own = lines_.back().own();
    const std::int64_t position = own.begin + tasks_taken_;
    Task task{&lines_.back(), position, epoch, first + static_cast<std::uint64_t>(position), failure};
    if (++tasks_taken_ == own.end - own.begin) {
        tasks_taken_ = 0;
        ++next_line_;
    }
    at_work_.set(++in_progress_);
    return task;
}

// Nobody waits with a sample at hand, whose memory the wanted batch may need: it is made again, to the same bytes.
void BatchRing::make(const Task& task, Maker& maker, const Drawn& drawn) {
    while (true) {
        std::uint64_t bytes = 0;
        {
            task.slot->find_places(task.position, maker.places);
            const Chain::Worker::Use use(maker.worker);
            const Sample& sample = maker.worker.make(task.epoch, drawn.index, maker.places, drawn.repeat);
            check_labels(label_readers_, sample, chain_, drawn.index);
            if (shape(*task.slot, sample, bytes)) {
                task.slot->put(task.position, drawn.index, sample);
                return;
            }
        }
        wait_for_room(task, bytes, maker);
    }
}

// False where the batch would be larger than there is room for: `bytes`.
bool BatchRing::shape(BatchSlot& slot, const Sample& sample, std::uint64_t& bytes) {
    const std::lock_guard lock(mutex_);
    if (slot.is_shaped()) {
        return true;
    }
    const bool had_room = lines_.has_room();
    if (!lines_.shape(slot, sample)) {
        bytes = slot.held_with(sample);
        return false;
    }
    if (!had_room && lines_.has_room()) {
        work_.notify_all();
    }
    return true;
}

// For the batch of the task, until it is the wanted one at the latest. Throws Stopped where that will never be.
void BatchRing::wait_for_room(const Task& task, std::uint64_t bytes, Maker& maker) {
    std::unique_lock lock(mutex_);
    ++waiting_;
    work_.wait(lock, maker.stop,
               [&] { return draining_ || task.slot->is_shaped() || lines_.has_room_for(*task.slot, bytes); });
    --waiting_;
    if (draining_ || maker.stop.stop_requested()) {
        throw Stopped();
    }
}

void BatchRing::leave_out(const Task& task, std::uint64_t index, const Error& error) {
    if (batch_stages_.count() > 0) {
        throw Error(error.exit(),
                    fmt::format("{}; it cannot be left out, because transforms of whole batches follow", error.what()));
    }
    const std::lock_guard lock(mutex_);
    task.slot->leave_out(bad_sample(task.position, index, error));
}

// A bad sample's place is taken by the next in the epoch's order that is not bad: the same for any number of threads.
// That one comes once more by it, with draws of its own.
void BatchRing::make_or_replace(const Task& task, Maker& maker) {
    std::vector<BadSample> bad;
    Drawn drawn = sampling_.draw(task.epoch, task.epoch_position);
    std::uint64_t behind = 0;  // the position
    while (true) {
        try {
            make(task, maker, drawn);
            break;
        } catch (const Error& error) {
            if (error.exit() == Exit::data && options_.leave_out_bad) {
                return leave_out(task, drawn.index, error);
            }
            if (error.exit() != Exit::data || options_.skip_bad == 0) {
                throw;
            }
            bad.push_back(bad_sample(task.position, drawn.index, error));
            if (bad.size() == chain_.length()) {
                throw found_none(bad, SearchEnd::all_of_data, options_.skip_bad);
            }
            if (std::cmp_greater(bad.size(), options_.skip_bad)) {
                throw found_none(bad, SearchEnd::too_many, options_.skip_bad);
            }
        }
        do {  // where some come more than once
            if (++behind == chain_.length()) {
                throw found_none(bad, SearchEnd::all_of_epoch, options_.skip_bad);
            }
            drawn = sampling_.draw(task.epoch, task.epoch_position + behind);
        } while (std::ranges::find(bad, drawn.index, &BadSample::index) != bad.end());
        drawn.repeat += behind * chain_.length();  // more than any at a place of its own
        bad.back().taken = drawn.index;
    }
    if (!bad.empty()) {
        const std::lock_guard lock(mutex_);
        for (BadSample& sample : bad) {
            task.slot->replace(std::move(sample));
        }
    }
}

void BatchRing::perform(const Task& task, Maker& maker) {
    std::exception_ptr failure = task.failure;
    try {
        if (failure == nullptr) {
            make_or_replace(task, maker);
        }
    } catch (...) {
        failure = std::current_exception();
    }
    std::unique_lock lock(mutex_);
    if (failure != nullptr) {
        task.slot->fail(task.position, std::move(failure));
    }
    if (task.slot->finish_one()) {
        complete(*task.slot, maker, lock);
    }
    at_work_.set(--in_progress_);
    if (task.slot->is_whole() || (draining_ && in_progress_ == 0)) {
        done_.notify_one();
    }
}

// What is done to the batch as a whole, outside of the lock: nobody else touches a batch between its last sample and
// its close().
void BatchRing::complete(BatchSlot& slot, Maker& maker, std::unique_lock<std::mutex>& lock) {
    Batch* const batch = slot.good();
    if (batch_stages_.count() > 0 && batch != nullptr) {
        std::exception_ptr failure;
        lock.unlock();
        try {
            maker.batches.apply(*batch);
        } catch (...) {
            failure = std::current_exception();
        }
        lock.lock();
        if (failure != nullptr) {
            slot.fail(0, std::move(failure));
        }
    }
    slot.close();
}

void BatchRing::work(const std::stop_token& stop, std::size_t number) {
    Maker& maker = makers_[number];
    maker.stop = stop;
    bool has_given_way = false;
    while (true) {
        Task task;
        {
            std::unique_lock lock(mutex_);
            work_.wait(lock, stop, [&] { return std::cmp_less(number, effort_.workers) && has_task(); });
            if (stop.stop_requested()) {
                return;
            }
            task = take_task();
        }
        if (gives_way_ && !std::exchange(has_given_way, true)) {
            lower_own_priority();
        }
        perform(task, maker);
    }
}

}  // namespace sluice::data
