// Streams, events and graphs. Work is run as late as it may be: when somebody waits for it.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "cuda_runtime.h"

namespace emulated {

using Work = std::function<void()>;

struct Graph {
    struct Node {
        Work work;
        std::vector<std::size_t> after;  // nodes of lower numbers that have to run before
    };
    std::vector<Node> nodes;
    bool meets_others = false;  // some of it waits for other GPUs

    // Each node after those that it has to wait for; among the ready ones the first or the last comes first.
    void run(bool last_first) const;
    // Whether node n is one of `last` or has to run before one of them, for every n.
    [[nodiscard]] bool all_lead_to(const std::vector<std::size_t>& last) const;
};

// A recording that goes on.
struct Recording {
    Graph graph;
    Stream* origin;
    cudaStreamCaptureMode mode;
    std::thread::id thread;
    bool is_broken = false;
};

struct Stream {
    int device;
    bool waits_for_default;  // and the default stream for it
    std::deque<Work> work;
    std::shared_ptr<Recording> recording;
    std::vector<std::size_t> last;  // nodes of the recording that the next one has to wait for
    std::thread::id runs;           // whose thread is in a piece of its work
    int priority = 0;               // the lower, the more urgent

    // By another thread, which waits in it.
    [[nodiscard]] bool is_busy() const { return runs != std::thread::id() && runs != std::this_thread::get_id(); }
};

// One passing of an event.
struct Mark {
    Stream* stream;
    bool has_passed = false;
    std::chrono::steady_clock::time_point at;
};

struct Event {
    int device;
    bool has_time;
    std::shared_ptr<Mark> mark;  // NULL: never recorded, or into a graph
    std::weak_ptr<Recording> recording;
    std::vector<std::size_t> last;
    bool is_recorded_in_graph = false;
};

constexpr int kHighestPriority = -5;  // as on an H200

class Streams {
public:
    Streams();
    Stream* create(int device, bool waits_for_default);
    void destroy(Stream* stream);
    // The default stream where it is NULL. Throws Failure where there is no such stream.
    Stream& get(Stream* stream);
    [[nodiscard]] const std::vector<std::shared_ptr<Stream>>& all() const { return streams_; }

    // Puts work onto the stream, or into its recording.
    void put(Stream& stream, Work work);
    // The same of work that waits for other GPUs.
    void put_meeting(Stream& stream, Work work);
    // Whether such work was put on a stream of the device and is not over.
    [[nodiscard]] bool will_meet(int device) const {
        const auto found = meetings_.find(device);
        return !are_ended_ && found != meetings_.end() && found->second.use_count() > 1;
    }
    // From now on such work waits no more.
    void end_meetings() { are_ended_ = true; }
    void record(Event& event, Stream& stream);
    void wait_for(Stream& stream, const Event& event);

    // All three wait for another thread that is in the stream's work.
    void run_next(Stream& stream);
    void run_all(Stream& stream);
    void run_until(const Mark& mark);
    // The device's streams in turn, in an order that changes.
    void run_everything(int device);
    void forget_everything();

private:
    std::vector<std::shared_ptr<Stream>> streams_;  // the first is the default stream; shared with who waits for one
    unsigned turn_ = 0;
    std::map<int, std::shared_ptr<char>> meetings_;  // by device; each piece of such work has a share
    bool are_ended_ = false;
};

}  // namespace emulated
