// Limits the memory of the samples that the threads of a chain make at the same time.
#pragma once

#include <cstdint>
#include <exception>
#include <mutex>
#include <string>
#include <vector>

namespace sluice::data {

// All threads share one half of the memory. A sample that does not fit there uses the other half, which one thread
// holds at a time. No thread waits inside a plugin's call, because the plugin may hold a lock there. Instead OutOfTurn
// cancels the sample, and its thread makes it again when it holds the other half.
class SampleMemory {
public:
    // `bytes`: both halves together. `purpose` opens messages.
    SampleMemory(std::uint64_t bytes, std::string purpose);

    // Bytes that one sample may need.
    [[nodiscard]] std::uint64_t most() const { return most_; }

    // Thrown if there is no room now; not an error of the sample.
    class OutOfTurn : public std::exception {
    public:
        [[nodiscard]] const char* what() const noexcept override { return "a sample has to wait for its turn"; }
    };

    // The memory that one thread holds from sample to sample. [that thread]
    class Share {
    public:
        explicit Share(SampleMemory& memory);
        ~Share();
        Share(const Share&) = delete;
        Share& operator=(const Share&) = delete;

        // Starts a new sample, or the same one again.
        void begin() { needed_ = 0; }
        // Adds to the sample's needs. False, with nothing added, if the sample would need more than most().
        bool need(std::uint64_t bytes);
        // Bytes that this sample needs so far.
        [[nodiscard]] std::uint64_t needed() const { return needed_; }
        [[nodiscard]] std::uint64_t most() const { return memory_.most(); }
        // Called before a buffer grows by `bytes`. Throws OutOfTurn.
        void grow(std::uint64_t bytes);
        // Gives the buffer at least `bytes` of capacity; its old contents are lost. Throws OutOfTurn.
        void make_room(std::vector<std::uint8_t>& buffer, std::uint64_t bytes);
        // Waits for the other half, and holds it until give_back().
        void wait_for_turn();
        // If one of these is true, the thread frees all its buffers after it has used the sample.
        [[nodiscard]] bool has_turn() const { return turn_.owns_lock(); }
        [[nodiscard]] bool holds_much() const;  // more than an equal share for each thread
        // Called after all buffers are freed.
        void give_back();

    private:
        SampleMemory& memory_;
        std::uint64_t needed_ = 0;  // by this sample
        std::uint64_t held_ = 0;    // bytes of the shared half
        std::unique_lock<std::mutex> turn_;
    };

private:
    const std::uint64_t most_;  // bytes of each half
    const std::string purpose_;
    std::mutex turns_;          // held by the thread that uses the other half
    mutable std::mutex mutex_;  // guards what follows
    std::uint64_t shares_ = 0;
    std::uint64_t held_ = 0;
    bool has_logged_ = false;
};

}  // namespace sluice::data
