#include "data/batch_ring.hpp"

#include <algorithm>
#include <exception>
#include <limits>

#include "base/error.hpp"
#include "data/order.hpp"

namespace sluice::data {

BatchRing::BatchRing(const Chain& chain, LoaderOptions options, const std::vector<std::size_t>& fields)
    : chain_(chain),
      options_(std::move(options)),
      batches_per_epoch_((chain.length() - 1) / static_cast<std::uint64_t>(options_.batch) + 1) {
    for (std::int64_t i = 0; i <= options_.prefetch; ++i) {
        ring_.emplace_back(fields, chain.fields());
    }
    for (std::int64_t i = 0; i < std::max<std::int64_t>(1, options_.workers); ++i) {
        makers_.emplace_back(chain);
    }
    for (std::int64_t i = 0; i < options_.workers; ++i) {
        Maker& maker = makers_[static_cast<std::size_t>(i)];
        threads_.emplace_back([this, &maker](const std::stop_token& stop) { work(stop, maker); });
    }
}

BatchRing::~BatchRing() {
    for (std::jthread& thread : threads_) {
        thread.request_stop();  // all of them before the first is joined
    }
}

void BatchRing::restart(std::uint64_t line_number, const std::optional<EpochDigest>& digest) {
    {
        std::unique_lock lock(mutex_);
        draining_ = true;
        done_.wait(lock, [&] { return in_progress_ == 0; });
        wanted_line_ = line_number;
        next_line_ = line_number;
        end_line_ = options_.one_pass ? (line_number / batches_per_epoch_ + 1) * batches_per_epoch_
                                      : std::numeric_limits<std::uint64_t>::max();
        next_position_ = 0;
        held_ = false;
        digest_ = digest;
        draining_ = false;
    }
    work_.notify_all();
}

const Batch& BatchRing::next() {
    std::unique_lock lock(mutex_);
    if (held_) {
        ++wanted_line_;
        held_ = false;
        // Workers are woken when half of what is made ahead is used up: once for several batches.
        if (next_line_ <= wanted_line_ + static_cast<std::uint64_t>(options_.prefetch) / 2) {
            work_.notify_all();
        }
    }
    if (wanted_line_ >= end_line_) {
        throw Error(Exit::data, chain_.purpose() + ": one pass was asked for, and it has ended");
    }
    BatchSlot& slot = slot_of(wanted_line_);
    const auto is_whole = [&] { return next_line_ > wanted_line_ && slot.is_whole(); };
    if (threads_.empty()) {
        while (!is_whole()) {
            const Task task = take_task();
            lock.unlock();
            perform(task, makers_.front());
            lock.lock();
        }
    } else {
        done_.wait(lock, is_whole);
    }
    const Batch& batch = slot.result(chain_.purpose());
    if (batch.number == 0) {
        digest_.emplace();
    }
    if (digest_) {
        slot.add_to(*digest_);
    }
    held_ = true;
    return batch;
}

// Under the mutex, where has_task().
BatchRing::Task BatchRing::take_task() {
    BatchSlot& slot = slot_of(next_line_);
    const std::uint64_t epoch = next_line_ / batches_per_epoch_;
    const std::uint64_t first = next_line_ % batches_per_epoch_ * static_cast<std::uint64_t>(options_.batch);
    const auto count =
        static_cast<std::int64_t>(std::min(static_cast<std::uint64_t>(options_.batch), chain_.length() - first));
    if (next_position_ == 0) {
        slot.open(epoch, next_line_ % batches_per_epoch_, count);
    }
    const Order order(chain_.length(), options_.seed, epoch, options_.shuffle);
    const Task task{&slot, next_position_, epoch, order[first + static_cast<std::uint64_t>(next_position_)]};
    if (++next_position_ == count) {
        next_position_ = 0;
        ++next_line_;
    }
    ++in_progress_;
    return task;
}

void BatchRing::perform(const Task& task, Maker& maker) {
    std::exception_ptr failure;
    try {
        task.slot->find_places(task.position, maker.places);
        const Sample& sample = maker.worker.make(task.epoch, task.index, maker.places);
        check_labels(label_readers_, sample, chain_.purpose(), task.index);
        task.slot->put(task.position, task.index, sample, mutex_);
    } catch (...) {
        failure = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    if (failure != nullptr) {
        task.slot->fail(task.position, std::move(failure));
    }
    task.slot->finish_one();
    --in_progress_;
    if (task.slot->is_whole() || in_progress_ == 0) {
        done_.notify_one();
    }
}

void BatchRing::work(const std::stop_token& stop, Maker& maker) {
    while (true) {
        Task task;
        {
            std::unique_lock lock(mutex_);
            work_.wait(lock, stop, [&] { return has_task(); });
            if (stop.stop_requested()) {
                return;
            }
            task = take_task();
        }
        perform(task, maker);
    }
}

}  // namespace sluice::data
