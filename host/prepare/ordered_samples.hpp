// Samples of a chain, made and packed by several threads, in the order of their index.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "prepare/shard_format.hpp"

namespace sluice::prepare {

class OrderedSamples {
public:
    // From index `first` to before `end`. At most 4 samples for each thread are held at a time.
    OrderedSamples(const data::Chain& chain, const ShardFormat& format, std::uint64_t first, std::uint64_t end,
                   int threads);
    ~OrderedSamples();
    OrderedSamples(const OrderedSamples&) = delete;
    OrderedSamples& operator=(const OrderedSamples&) = delete;
    // The next one. Throws what went wrong with it.
    records::PackedSample take();

private:
    struct Slot {
        records::PackedSample sample;
        std::exception_ptr failure;
        bool is_ready = false;
    };
    void work(data::Chain::Worker& worker);
    Slot& slot(std::uint64_t index) { return slots_[static_cast<std::size_t>(index % slots_.size())]; }

    const data::Chain& chain_;
    const ShardFormat& format_;
    std::uint64_t next_to_make_;
    std::uint64_t next_to_take_;
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
