// Streams, events and graphs. Work runs as late as possible: when a caller waits for it.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "activities.hpp"
#include "cuda_runtime.h"
#include "machine_lock.hpp"

namespace emulated {

using Work = std::function<void()>;

struct Graph {
    struct Node {
        Work work;
        std::vector<std::size_t> after;  // nodes of lower numbers that must run before
    };
    std::vector<Node> nodes;
    bool waits_for_others = false;  // some of it waits for other GPUs

    // Runs each node after those for which it must wait. Of the ready nodes, the first or the last one runs first.
    void run(bool last_first) const;
    // True if every node is one of `last` or must run before one of them.
    [[nodiscard]] bool all_lead_to(const std::vector<std::size_t>& last) const;
};

// A capture in progress.
struct Recording {
    Graph graph;
    Stream* origin;
    cudaStreamCaptureMode mode;
    std::thread::id thread;
    bool is_broken = false;
};

struct Stream {
    int device;
    bool waits_for_default;  // and the default stream waits for it
    std::deque<Work> work;
    std::shared_ptr<Recording> recording;
    std::vector<std::size_t> last;  // nodes of the capture for which the next one must wait
    std::thread::id runs;           // the thread that is in a piece of its work
    int priority = 0;               // the lower, the more urgent
    unsigned number = 0;            // of all streams so far

    // True if another thread waits inside its work.
    [[nodiscard]] bool is_busy() const { return runs != std::thread::id() && runs != std::this_thread::get_id(); }
};

// One recording of an event on a stream.
struct Mark {
    Stream* stream;
    bool has_passed = false;
    std::chrono::steady_clock::time_point at;
};

struct Event {
    int device;
    bool has_time;
    std::shared_ptr<Mark> mark;  // NULL: never recorded, or captured in a graph
    std::weak_ptr<Recording> recording;
    std::vector<std::size_t> last;
    bool is_recorded_in_graph = false;
};

constexpr int kHighestPriority = -5;  // as on an H200

class Streams {
public:
    // Both must outlive the streams.
    Streams(MachineLock& lock, Activities& activities);
    Stream* create(int device, bool waits_for_default);
    void destroy(Stream* stream);
    // NULL: the default stream. Throws Failure if there is no such stream.
    Stream& get(Stream* stream);
    [[nodiscard]] const std::vector<std::shared_ptr<Stream>>& all() const { return streams_; }

    // Enqueues work on the stream, or adds it to the stream's capture.
    void put(Stream& stream, Work work);
    // Does the same with work that waits for other GPUs.
    void put_waiting(Stream& stream, Work work);
    // True if such work is enqueued on a stream of the device and has not completed.
    [[nodiscard]] bool has_waiting_work(int device) const {
        const auto found = waiting_work_.find(device);
        return !are_ended_ && found != waiting_work_.end() && found->second.use_count() > 1;
    }
    // From now on such work no longer waits.
    void end_waiting() { are_ended_ = true; }
    void record(Event& event, Stream& stream);
    void wait_for(Stream& stream, const Event& event);

    // All three wait for another thread that is inside the stream's work.
    void run_next(Stream& stream);
    void run_all(Stream& stream);
    void run_until(const Mark& mark);
    // Runs the device's streams one after another, in an order that changes.
    void run_everything(int device);
    void forget_everything();

private:
    MachineLock& lock_;
    Activities& activities_;
    unsigned made_ = 0;
    // The first is the default stream. Threads that wait for a stream share it.
    std::vector<std::shared_ptr<Stream>> streams_;
    unsigned turn_ = 0;
    std::map<int, std::shared_ptr<char>> waiting_work_;  // by device; work that waits for other GPUs shares it
    bool are_ended_ = false;
};

}  // namespace emulated
