// Samples of a chain, made and packed by several threads, in the order of their index.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "prepare/shard_format.hpp"

namespace sluice::prepare {

struct Making {
    int threads = 1;
    std::uint64_t ahead_bytes = 0;  // that those may take which wait behind the one that take() gives; 0: any number
    double stall_seconds = 0.0;     // after which a sample that does not come is told of; 0: never
    std::function<bool()> stop{};   // asked while take() waits; empty: never
};

class OrderedSamples {
public:
    // From index `first` to before `end`. At most 4 samples for each thread are held at a time, and no more than
    // Making.ahead_bytes. Throws Error(Exit::config) where not so many threads can be started.
    OrderedSamples(const data::Chain& chain, const ShardFormat& format, std::uint64_t first, std::uint64_t end,
                   Making making);
    ~OrderedSamples();
    OrderedSamples(const OrderedSamples&) = delete;
    OrderedSamples& operator=(const OrderedSamples&) = delete;
    // The next one; the one before is not in use any more. Throws what went wrong with it, and data::Stopped where it
    // is not there and `stop` says so.
    records::PackedSample take();

private:
    struct Slot {
        records::PackedSample sample;
        std::exception_ptr failure;
        std::uint64_t bytes = 0;  // that it takes; 0: that is not known yet
        bool is_ready = false;
    };
    void start();
    void end() noexcept;
    void work(data::Chain::Worker& worker);
    void make(data::Chain::Worker& worker, std::uint64_t index);
    bool take_room(std::uint64_t index, std::uint64_t bytes);
    [[nodiscard]] bool may_begin() const;
    [[nodiscard]] bool has_room(std::uint64_t index, std::uint64_t bytes, std::uint64_t unknown) const;
    [[nodiscard]] std::string what_threads_do() const;
    Slot& slot(std::uint64_t index) { return slots_[static_cast<std::size_t>(index % slots_.size())]; }
    [[nodiscard]] const Slot& slot(std::uint64_t index) const {
        return slots_[static_cast<std::size_t>(index % slots_.size())];
    }

    const data::Chain& chain_;
    const ShardFormat& format_;
    Making making_;
    std::uint64_t next_to_make_;
    std::uint64_t next_to_take_;  // or taken, and in use until the next take()
    bool is_taken_ = false;
    std::uint64_t largest_ = 0;  // bytes of a sample so far
    std::uint64_t end_;
    bool stops_ = false;
    std::vector<Slot> slots_;
    std::mutex mutex_;
    std::condition_variable made_;
    std::condition_variable taken_;
    std::vector<std::unique_ptr<data::Chain::Worker>> workers_;
    std::vector<std::thread> threads_;
};

}  // namespace sluice::prepare
