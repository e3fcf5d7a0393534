// The processes of an MPI job, and the blocks of bytes that they send each other. A thread of its own does all that
// concerns MPI, and sleeps while nothing is under way.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace sluice::mpi {

// What a trade is for. In each lane they have numbers of their own.
enum class Lane : std::uint32_t { scatter = 0, gather = 1, host = 2, farewell = 3 };
inline constexpr std::uint32_t kLanes = 4;

// Every process sends a block to each of the others and gets one from each.
struct Trade {
    Lane lane = Lane::host;
    std::uint64_t number = 0;
    std::string name;                             // all come with the same, under that number
    std::vector<std::span<const std::byte>> out;  // by process; the own is left alone
    std::vector<std::span<std::byte>> in;         // by process; of those lengths
    std::function<void()> done;                   // on the link's thread; may begin further trades
};

class Link {
public:
    // Called when the link breaks, once, on any thread: with what is wrong.
    using Broken = std::function<void(const std::string& reason)>;

    // Starts MPI, which a process can do once, and waits so many seconds for all others to do so; `waits` is told once
    // when that takes long. Throws sdk::Failure.
    Link(double seconds, const std::function<void(const std::string& text)>& waits, Broken broken);
    // Waits for the others to come to their end, unless the link is broken. Then MPI is not ended in order, and the
    // process is to leave soon.
    ~Link();
    Link(const Link&) = delete;
    Link& operator=(const Link&) = delete;

    // This process, from 0, and all of them.
    [[nodiscard]] std::uint32_t number() const { return number_; }
    [[nodiscard]] std::uint32_t count() const { return count_; }

    // The trade's blocks are lent until it is done or, where the link breaks, until it has fallen silent. [any thread]
    void begin(std::shared_ptr<Trade> trade);
    // Those whose block of the trade has not come: "process 2 (on node-b)". [any thread]
    [[nodiscard]] std::string missing(const Trade& trade);
    // Where it is not broken yet: breaks it, and tells the others why. [any thread]
    void abort(std::string_view reason) noexcept;
    // Where it is broken: returns when no block is touched any more, soon. [any thread but the link's]
    void fall_silent();

private:
    struct Mpi;       // what the thread alone touches
    struct Underway;  // a trade
    struct Start;     // of MPI, which may never come to its end

    void wait_for_start(double seconds, const std::function<void(const std::string& text)>& waits);
    void serve();
    void trade();
    bool move();
    void end(const std::string& reason, bool tells_others) noexcept;

    std::uint32_t number_ = 0;
    std::uint32_t count_ = 1;
    std::vector<std::string> hosts_;  // by process
    Broken broken_;
    std::unique_ptr<Mpi> mpi_;
    std::vector<std::shared_ptr<Trade>> over_;  // whose done() is to be called

    std::mutex mutex_;  // guards what follows
    std::condition_variable changed_;
    std::vector<std::shared_ptr<Trade>> new_;
    std::vector<std::pair<const Trade*, std::vector<bool>>> come_;  // whose blocks are there, of the trades under way
    std::string reason_;                                            // why the link is broken; empty: it is not
    bool tells_others_ = false;
    bool is_ready_ = false;  // the thread may use what was started
    bool is_ending_ = false;
    bool is_silent_ = false;  // the thread has done with MPI
    std::thread thread_;
};

}  // namespace sluice::mpi
