#include "prepare/ordered_samples.hpp"

#include <fmt/format.h>

#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "data/awaiting.hpp"

namespace sluice::prepare {
namespace {

constexpr int kAhead = 4;  // samples for each thread

}  // namespace

OrderedSamples::OrderedSamples(const data::Chain& chain, const ShardFormat& format, std::uint64_t first,
                               std::uint64_t end, Making making)
    : chain_(chain),
      format_(format),
      making_(std::move(making)),
      next_to_make_(first),
      next_to_take_(first),
      end_(end),
      slots_(static_cast<std::size_t>(making_.threads * kAhead)) {
    for (int i = 0; i < making_.threads; ++i) {
        workers_.push_back(std::make_unique<data::Chain::Worker>(chain));
    }
    start();
}

OrderedSamples::~OrderedSamples() { end(); }

void OrderedSamples::start() {
    try {
        for (const auto& worker : workers_) {
            threads_.emplace_back([this, &worker = *worker] { work(worker); });
        }
    } catch (const std::system_error& error) {
        const std::size_t started = threads_.size();
        end();
        throw Error(Exit::config, fmt::format("only {} of {} threads can be started: {}; give fewer --workers", started,
                                              workers_.size(), error.code().message()));
    }
}

void OrderedSamples::end() noexcept {
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
            const data::Chain::Worker::Use use(worker);
            place.sample = format_.pack(worker.make(0, index));
        } catch (...) {
            place.failure = std::current_exception();
        }
        lock.lock();
        place.is_ready = true;
        made_.notify_one();
    }
}

std::string OrderedSamples::what_threads_do() const {
    const std::vector<std::string> stages = chain_.stages();
    std::vector<std::string> places;
    for (const auto& worker : workers_) {
        data::add_place(worker->times(), stages, "sample", places);
    }
    return data::places_text(places);
}

records::PackedSample OrderedSamples::take() {
    std::unique_lock lock(mutex_);
    Slot& place = slot(next_to_take_);
    data::await(
        made_, lock, making_.stall_seconds, making_.stop, [&] { return place.is_ready; },
        [&](double seconds) {
            log::warn(fmt::format("{}: waiting for sample {} for {:.0f} s: {}", chain_.purpose(), next_to_take_,
                                  seconds, what_threads_do()));
        });
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
