// Samples of a chain, made and packed by several threads, and returned in the order of their index.
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

struct OrderedSamplesOptions {
    int threads = 1;
    std::uint64_t prefetch_bytes = 0;  // for samples made ahead of the one that take() returns; 0: no limit
    double stall_seconds = 0.0;        // of waiting for a sample before a warning; 0: no warning
    std::function<bool()> stop{};      // polled while take() waits; empty: never stops
};

class OrderedSamples {
public:
    // Makes the samples from index `first` to before `end`. Holds at most 4 samples per thread, and no more bytes than
    // OrderedSamplesOptions.prefetch_bytes. Throws Error(Exit::device) if not all threads can be started.
    OrderedSamples(const data::Chain& chain, const ShardFormat& format, std::uint64_t first, std::uint64_t end,
                   OrderedSamplesOptions options);
    ~OrderedSamples();
    OrderedSamples(const OrderedSamples&) = delete;
    OrderedSamples& operator=(const OrderedSamples&) = delete;
    // Returns the next sample; the one before must no longer be in use. Throws the sample's error, or data::Stopped if
    // `stop` returns true while it waits.
    records::PackedSample take();

private:
    struct Slot {
        records::PackedSample sample;
        std::exception_ptr failure;
        std::uint64_t bytes = 0;  // size of the sample; 0: not known yet
        bool is_ready = false;
    };
    void start();
    void end() noexcept;
    void work(data::Chain::Worker& worker);
    void make(data::Chain::Worker& worker, std::uint64_t index);
    bool take_room(std::uint64_t index, std::uint64_t bytes);
    [[nodiscard]] bool may_begin() const;
    [[nodiscard]] bool has_room(std::uint64_t index, std::uint64_t bytes, std::uint64_t unknown) const;
    [[nodiscard]] std::string describe_threads() const;
    Slot& slot(std::uint64_t index) { return slots_[static_cast<std::size_t>(index % slots_.size())]; }
    [[nodiscard]] const Slot& slot(std::uint64_t index) const {
        return slots_[static_cast<std::size_t>(index % slots_.size())];
    }

    const data::Chain& chain_;
    const ShardFormat& format_;
    OrderedSamplesOptions options_;
    std::uint64_t next_to_make_;
    std::uint64_t next_to_take_;  // if it is taken already, it is in use until the next take()
    bool is_taken_ = false;
    std::uint64_t largest_ = 0;  // bytes of the largest sample so far
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
