#include "prepare/ordered_samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/machine.hpp"
#include "base/text/counted.hpp"
#include "data/chain/chain_worker.hpp"
#include "data/loader/awaiting.hpp"
#include "data/loader/stall_text.hpp"

namespace sluice::prepare {
namespace {

constexpr int kPrefetchedPerThread = 4;  // samples per thread

}  // namespace

OrderedSamples::OrderedSamples(const data::Chain& chain, const ShardFormat& format, std::uint64_t first,
                               std::uint64_t end, OrderedSamplesOptions options)
    : chain_(chain),
      format_(format),
      options_(std::move(options)),
      next_to_make_(first),
      next_to_take_(first),
      end_(end),
      slots_(static_cast<std::size_t>(options_.threads * kPrefetchedPerThread)) {
    for (int i = 0; i < options_.threads; ++i) {
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
        throw Error(Exit::device,
                    fmt::format("only {} of {} can be started: {}{}; give fewer --workers", started,
                                counted(workers_.size(), "thread"), error.code().message(), limits_text()));
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

// True if all samples in flight fit into the limit, sample `index` with `bytes` among them. A sample of unknown size
// counts as `unknown` bytes. The next sample to take always has room.
bool OrderedSamples::has_room(std::uint64_t index, std::uint64_t bytes, std::uint64_t unknown) const {
    if (options_.prefetch_bytes == 0 || index == next_to_take_) {
        return true;
    }
    for (std::uint64_t i = next_to_take_ + 1; i < next_to_make_; ++i) {
        if (i != index) {
            bytes += slot(i).bytes > 0 || slot(i).is_ready ? slot(i).bytes : unknown;
        }
    }
    return bytes <= options_.prefetch_bytes;
}

// With a limit, only one sample is made until the size of one is known.
bool OrderedSamples::may_begin() const {
    const bool is_first = next_to_make_ == next_to_take_;
    const bool may_prefetch = options_.prefetch_bytes == 0 || largest_ > 0;
    return next_to_make_ < next_to_take_ + slots_.size() &&
           (is_first || (may_prefetch && has_room(next_to_make_, largest_, largest_)));
}

// Reserves room for a sample. Returns false if there is none yet; the caller then waits for it.
bool OrderedSamples::take_room(std::uint64_t index, std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    const bool others_wait = !may_begin();
    largest_ = std::max(largest_, bytes);
    if (!has_room(index, bytes, 0)) {
        return false;
    }
    slot(index).bytes = bytes;
    if (others_wait && may_begin()) {
        taken_.notify_all();  // the sample is smaller than assumed
    }
    return true;
}

// A thread that waits for room drops its sample, because the next sample to take may need the memory. It makes the
// sample again afterwards.
void OrderedSamples::make(data::Chain::Worker& worker, std::uint64_t index) {
    while (true) {
        std::uint64_t bytes = 0;
        {
            const data::Chain::Worker::Use use(worker);
            const data::Sample& sample = worker.make(0, index);
            for (const data::SampleField& field : sample.fields) {
                bytes += field.tensor.bytes.size();
            }
            if (take_room(index, bytes)) {
                slot(index).sample = format_.pack(sample, index);
                return;
            }
        }
        std::unique_lock lock(mutex_);
        taken_.wait(lock, [&] { return stops_ || has_room(index, bytes, 0); });
        if (stops_) {
            throw data::Stopped();
        }
    }
}

void OrderedSamples::work(data::Chain::Worker& worker) {
    std::unique_lock lock(mutex_);
    while (true) {
        taken_.wait(lock, [&] { return stops_ || next_to_make_ == end_ || may_begin(); });
        if (stops_ || next_to_make_ == end_) {
            return;
        }
        const std::uint64_t index = next_to_make_++;
        Slot& place = slot(index);
        lock.unlock();
        try {
            make(worker, index);
        } catch (...) {
            place.failure = std::current_exception();
        }
        lock.lock();
        place.is_ready = true;
        made_.notify_one();
    }
}

std::string OrderedSamples::describe_threads() const {
    const std::vector<std::string> stages = chain_.stages();
    std::vector<std::string> places;
    for (const auto& worker : workers_) {
        data::add_place(worker->times(), stages, "sample", places);
    }
    return data::places_text(places);
}

records::PackedSample OrderedSamples::take() {
    std::unique_lock lock(mutex_);
    if (std::exchange(is_taken_, false)) {
        slot(next_to_take_++) = {};
        taken_.notify_all();
    }
    Slot& place = slot(next_to_take_);
    data::await(
        made_, lock, options_.stall_seconds, options_.stop, [&] { return place.is_ready; },
        [&](double seconds) {
            log::warn(fmt::format("{}: waiting for sample {} for {} s: {}", chain_.purpose(), next_to_take_,
                                  data::seconds_text(seconds), describe_threads()));
        });
    is_taken_ = true;
    lock.unlock();
    if (place.failure) {
        std::rethrow_exception(place.failure);
    }
    return std::move(place.sample);
}

}  // namespace sluice::prepare
