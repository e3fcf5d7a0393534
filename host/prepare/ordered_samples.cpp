#include "prepare/ordered_samples.hpp"

#include <utility>

namespace sluice::prepare {
namespace {

constexpr int kAhead = 4;  // samples for each thread

}  // namespace

OrderedSamples::OrderedSamples(const data::Chain& chain, const ShardFormat& format, std::uint64_t first,
                               std::uint64_t end, int threads)
    : chain_(chain),
      format_(format),
      next_to_make_(first),
      next_to_take_(first),
      end_(end),
      slots_(static_cast<std::size_t>(threads * kAhead)) {
    for (int i = 0; i < threads; ++i) {
        workers_.push_back(std::make_unique<data::Chain::Worker>(chain));
    }
    for (const auto& worker : workers_) {
        threads_.emplace_back([this, &worker = *worker] { work(worker); });
    }
}

OrderedSamples::~OrderedSamples() {
    {
        const std::lock_guard lock(mutex_);
        stops_ = true;
    }
    taken_.notify_all();
    for (std::thread& thread : threads_) {
        thread.join();
    }
}

void OrderedSamples::work(data::Chain::Worker& worker) {
    std::unique_lock lock(mutex_);
    while (true) {
        taken_.wait(lock,
                    [&] { return stops_ || next_to_make_ == end_ || next_to_make_ < next_to_take_ + slots_.size(); });
        if (stops_ || next_to_make_ == end_) {
            return;
        }
        const std::uint64_t index = next_to_make_++;
        Slot& place = slot(index);
        lock.unlock();
        try {
            place.sample = format_.pack(worker.make(0, index));
        } catch (...) {
            place.failure = std::current_exception();
        }
        lock.lock();
        place.is_ready = true;
        made_.notify_one();
    }
}

records::PackedSample OrderedSamples::take() {
    std::unique_lock lock(mutex_);
    Slot& place = slot(next_to_take_);
    made_.wait(lock, [&] { return place.is_ready; });
    Slot taken = std::exchange(place, {});
    ++next_to_take_;
    lock.unlock();
    taken_.notify_all();
    if (taken.failure) {
        std::rethrow_exception(taken.failure);
    }
    return std::move(taken.sample);
}

}  // namespace sluice::prepare
