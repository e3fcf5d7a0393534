#include "data/loader/batch_queue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/allocation_failure.hpp"
#include "base/error.hpp"
#include "base/machine.hpp"
#include "base/text/counted.hpp"
#include "data/loader/awaiting.hpp"

namespace sluice::data {

BatchQueue::BatchQueue(std::string purpose, const BatchLayout& layout, InFlightBatches in_flight,
                       const WorkerSettings& worker_settings)
    : purpose_(std::move(purpose)), layout_(layout), in_flight_(std::move(in_flight)), prefetch_(0) {
    set_worker_settings(worker_settings);
}

void BatchQueue::restart(std::uint64_t sequence, std::uint64_t end) {
    {
        std::unique_lock lock(mutex_);
        draining_ = true;
        work_.notify_all();  // wakes threads in wait_for_room()
        done_.wait(lock, [&] { return at_work_.threads() == 0; });
        wanted_ = sequence;
        next_ = {.sequence = sequence, .taken = 0, .end = end};
        in_flight_.clear();
        held_ = false;
        draining_ = false;
    }
    work_.notify_all();
}

std::uint64_t BatchQueue::wanted() const { return wanted_; }

void BatchQueue::hold() {
    const std::lock_guard lock(mutex_);
    held_ = true;
}

void BatchQueue::set_worker_settings(const WorkerSettings& worker_settings) {
    const std::lock_guard lock(mutex_);
    prefetch_ = worker_settings.prefetch;
    workers_.set(std::max<std::int64_t>(1, worker_settings.workers));
    in_flight_.reserve(static_cast<std::size_t>(worker_settings.prefetch) + 1);
    work_.notify_all();
}

// The caller holds the mutex.
void BatchQueue::drop_held() {
    if (held_) {
        ++wanted_;
        in_flight_.drop_front();
        held_ = false;
        // Workers are woken when half of the prefetched batches are used up: less often than for every batch, but
        // before the last one is gone.
        if (waiting_ > 0 || next_.sequence <= wanted_ + (static_cast<std::uint64_t>(prefetch_) + 1) / 2) {
            work_.notify_all();
        }
    }
    if (wanted_ >= next_.end) {
        throw Error(Exit::data, purpose_ + ": the pass over the data has ended, and only one was requested");
    }
}

std::optional<BatchQueue::Wanted> BatchQueue::wanted_if_whole() {
    const std::lock_guard lock(mutex_);
    drop_held();
    return wanted_is_whole() ? std::optional(whole_wanted()) : std::nullopt;
}

BatchQueue::Wanted BatchQueue::wait_for_wanted(const Waiting& waiting) {
    std::unique_lock lock(mutex_);
    drop_held();
    await(
        done_, lock, waiting.stall_seconds, waiting.stop, [this] { return wanted_is_whole(); }, waiting.stalled);
    return whole_wanted();
}

// The caller holds the mutex.
BatchQueue::Wanted BatchQueue::whole_wanted() {
    Wanted wanted{.slot = in_flight_.front()};
    for (std::uint64_t batch = wanted_; batch < next_.sequence; ++batch) {
        wanted.ready += in_flight_[batch - wanted_].is_whole() ? 1 : 0;
    }
    return wanted;
}

std::uint64_t BatchQueue::ready() const {
    const std::lock_guard lock(mutex_);
    const std::uint64_t first = wanted_ + (held_ ? 1 : 0);
    std::uint64_t count = 0;
    while (first + count < next_.sequence && in_flight_[first + count - wanted_].is_whole()) {
        ++count;
    }
    return count;
}

bool BatchQueue::wanted_is_whole() const { return next_.sequence > wanted_ && in_flight_.front().is_whole(); }

// The caller holds the mutex. The wanted batch always has room.
bool BatchQueue::has_task() const {
    return !draining_ && next_.sequence <= wanted_ + static_cast<std::uint64_t>(prefetch_) &&
           next_.sequence < next_.end && (next_.taken > 0 || in_flight_.has_room());
}

std::optional<BatchQueue::Task> BatchQueue::take(std::size_t worker, const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    work_.wait(lock, stop, [&] { return std::cmp_less(worker, workers_.threads()) && has_task(); });
    return stop.stop_requested() ? std::nullopt : std::optional(take_next());
}

std::optional<BatchQueue::Task> BatchQueue::take_wanted() {
    const std::lock_guard lock(mutex_);
    drop_held();
    return wanted_is_whole() ? std::nullopt : std::optional(take_next());
}

// The caller holds the mutex.
BatchQueue::Task BatchQueue::take_next() {
    const BatchLayout::Extent extent = layout_.at(next_.sequence);
    std::exception_ptr failure = next_.taken == 0 ? begin_batch(extent) : nullptr;
    BatchSlot& slot = in_flight_.back();
    const SampleRange& own = slot.own();
    const std::int64_t position = own.begin + next_.taken;
    if (++next_.taken == own.end - own.begin) {
        next_.taken = 0;
        ++next_.sequence;
    }
    at_work_.add(1);
    return {&slot, position, extent.epoch, extent.first + static_cast<std::uint64_t>(position), std::move(failure)};
}

// Opens a slot for the batch. Returns the failure if memory runs out; null on success.
std::exception_ptr BatchQueue::begin_batch(const BatchLayout::Extent& extent) {
    BatchSlot& slot = in_flight_.begin(extent.count);
    try {
        slot.open(extent.epoch, extent.number, extent.count, layout_.own(extent.count));
        return nullptr;
    } catch (const std::exception& error) {
        slot.refuse();
        return std::make_exception_ptr(
            Error(Exit::device,
                  fmt::format("{}: out of memory for a batch of {} ({}); lower data.batch or data.prefetch{}", purpose_,
                              counted(extent.count, "sample"), allocation_text(error), memory_limits_text())));
    }
}

bool BatchQueue::shape(const Task& task, const Sample& sample, std::uint64_t& bytes) {
    const std::lock_guard lock(mutex_);
    if (task.slot->is_shaped()) {
        return true;
    }
    const bool had_room = in_flight_.has_room();
    if (!in_flight_.shape(*task.slot, sample)) {
        bytes = task.slot->held_after_shape(sample);
        return false;
    }
    if (!had_room && in_flight_.has_room()) {
        work_.notify_all();
    }
    return true;
}

void BatchQueue::wait_for_room(const Task& task, std::uint64_t bytes, const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    ++waiting_;
    work_.wait(lock, stop,
               [&] { return draining_ || task.slot->is_shaped() || in_flight_.has_room_for(*task.slot, bytes); });
    --waiting_;
    if (draining_ || stop.stop_requested()) {
        throw Stopped();
    }
}

void BatchQueue::leave_out(const Task& task, BadSample sample) {
    const std::lock_guard lock(mutex_);
    task.slot->leave_out(std::move(sample));
}

void BatchQueue::replace(const Task& task, std::vector<BadSample> samples) {
    const std::lock_guard lock(mutex_);
    for (BadSample& sample : samples) {
        task.slot->replace(std::move(sample));
    }
}

Batch* BatchQueue::finish(const Task& task, std::exception_ptr failure, bool needs_close) {
    const std::lock_guard lock(mutex_);
    if (failure != nullptr) {
        task.slot->fail(task.position, std::move(failure));
    }
    if (task.slot->finish_one()) {
        if (Batch* const batch = task.slot->good(); needs_close && batch != nullptr) {
            return batch;
        }
        task.slot->close();
    }
    end_task(*task.slot);
    return nullptr;
}

void BatchQueue::close(const Task& task, std::exception_ptr failure) {
    const std::lock_guard lock(mutex_);
    if (failure != nullptr) {
        task.slot->fail(0, std::move(failure));
    }
    task.slot->close();
    end_task(*task.slot);
}

// The caller holds the mutex.
void BatchQueue::end_task(const BatchSlot& slot) {
    at_work_.add(-1);
    if (slot.is_whole() || (draining_ && at_work_.threads() == 0)) {
        done_.notify_one();
    }
}

std::uint64_t BatchQueue::held_bytes() const {
    const std::lock_guard lock(mutex_);
    return in_flight_.held();
}

void BatchQueue::add_to(LoaderFigures& figures) const {
    const std::lock_guard lock(mutex_);
    figures.workers = workers_.threads();
    figures.prefetch = prefetch_;
    figures.worker_seconds = workers_.sum();
    figures.at_work = at_work_.sum();
}

}  // namespace sluice::data
