// Memory for the samples that the threads of a chain make at the same time.
#pragma once

#include <cstdint>
#include <exception>
#include <mutex>
#include <string>

namespace sluice::data {

// Half of it is for all threads together; what a sample needs beyond that comes out of the other half, which one thread
// has at a time. Nobody waits inside a plugin's call, where a lock of the plugin's may be held: OutOfTurn ends the
// sample, which is made again when it is its turn.
class SampleMemory {
public:
    // `purpose` opens messages.
    SampleMemory(std::uint64_t bytes, std::string purpose);

    // That one sample may need.
    [[nodiscard]] std::uint64_t most() const { return most_; }

    // There is no room now; not an error.
    class OutOfTurn : public std::exception {
    public:
        [[nodiscard]] const char* what() const noexcept override { return "a sample has to wait for its turn"; }
    };

    // What one thread holds, from sample to sample. [that thread]
    class Share {
    public:
        explicit Share(SampleMemory& memory);
        ~Share();
        Share(const Share&) = delete;
        Share& operator=(const Share&) = delete;

        // A new sample, or the same one anew.
        void begin() { needed_ = 0; }
        // Whether the sample may need so many bytes more.
        bool need(std::uint64_t bytes);
        // By this sample so far.
        [[nodiscard]] std::uint64_t needed() const { return needed_; }
        [[nodiscard]] std::uint64_t most() const { return memory_.most(); }
        // Before a buffer grows by so many. Throws OutOfTurn.
        void grow(std::uint64_t bytes);
        void wait_for_turn();
        // Where one is true, the thread frees all its buffers when it is done with the sample.
        [[nodiscard]] bool has_turn() const { return turn_.owns_lock(); }
        [[nodiscard]] bool holds_much() const;  // more than each can have at the same time
        // All buffers are freed.
        void give_back();

    private:
        SampleMemory& memory_;
        std::uint64_t needed_ = 0;  // by this sample
        std::uint64_t held_ = 0;    // of the half for all
        std::unique_lock<std::mutex> turn_;
    };

private:
    const std::uint64_t most_;  // each half
    const std::string purpose_;
    std::mutex turns_;
    mutable std::mutex mutex_;  // guards what follows
    std::uint64_t shares_ = 0;
    std::uint64_t held_ = 0;
    bool told_ = false;
};

}  // namespace sluice::data
