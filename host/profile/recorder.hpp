// Records what the threads of the process do, while a window is open.
//
//     const profile::Recording upload(SLUICE_SPAN_UPLOAD, "batch", {.bytes = bytes});   // until the end of the scope
//
// Outside of windows, a recording costs the test of one flag. Inside, a span is stored in memory that its thread got
// when the window opened. A thread without room drops spans, and counts them. There is one recorder in a process, since
// it records threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "profile/operation.hpp"
#include "profile/span.hpp"
#include "profile/stage.hpp"

namespace sluice::profile {

namespace detail {
extern std::atomic<bool> is_recording;
extern std::atomic<bool> runs_eagerly;
}  // namespace detail

// True while a window is open. [any thread]
[[nodiscard]] inline bool is_recording() { return detail::is_recording.load(std::memory_order_relaxed); }

// True while launches must be seen one by one. Work then runs launch by launch, even if it has a captured graph. [any
// thread]
[[nodiscard]] inline bool runs_eagerly() { return detail::runs_eagerly.load(std::memory_order_relaxed); }

// Names the calling thread and its kind (SLUICE_THREAD_...), for windows, debuggers and /proc. Call it when the thread
// starts. Spans of a thread that never called it have the kind SLUICE_THREAD_OTHER.
void name_thread(std::uint32_t kind, const std::string& name);

// Adds a span of the calling thread. Does nothing outside of windows. [any thread]
void add(Span span);
// Adds a span of the training loop's thread, from another thread that works for it meanwhile. [any thread]
void add_to_loop(const Span& span);

// A time in which the first replica's device is busy with a step, as now(). `seconds`: of the whole step by the
// device's clock, since each such time is divided like the step.
struct DeviceStages {
    double begin = 0.0;
    double end = 0.0;
    StageSeconds seconds;
};
// Does nothing outside of windows. [any thread]
void add_on_device(const DeviceStages& stages);

// A span from its construction to its destruction.
class Recording {
public:
    struct Details {
        std::int64_t sample = -1;
        std::uint64_t bytes = 0;
    };
    Recording(std::uint32_t kind, std::string_view name) : Recording(kind, name, Details{}) {}
    Recording(std::uint32_t kind, std::string_view name, const Details& details);
    ~Recording();
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;

private:
    Span span_;  // begin 0: the window was not open
};

struct RecordedThread {
    std::string name{};
    std::int64_t id = 0;
    std::uint32_t kind = SLUICE_THREAD_OTHER;
    std::uint32_t device = SLUICE_NONE;  // of a stream
    std::vector<Span> spans{};
    std::uint64_t dropped = 0;
};

// When the loop began to enqueue a step.
struct StepBegin {
    double time = 0.0;  // as now()
    std::int64_t step = 0;
};

// The spans of a window refer to its operations.
struct RecordedSpans {
    std::vector<RecordedThread> threads;  // those that did something
    std::vector<Operations> operations;   // in the order of keep()
    std::vector<StepBegin> steps;         // in order
    std::vector<DeviceStages> on_device;  // in order; empty: no device has such a clock
    bool runs_eagerly = false;            // all steps; see runs_eagerly()
    std::int64_t eager_step = 0;          // the only step that ran eagerly; 0: none
};

// Opens and closes windows. [one thread, the training loop's]
class Recorder {
public:
    // Gives memory to all threads, and opens a window.
    static void open();
    // Sets the step of later spans of the loop and of compute threads; 0: none.
    static void set_step(std::int64_t step);
    [[nodiscard]] static std::int64_t step();
    // Stops recording for a while, and continues.
    static void pause();
    static void resume();
    // Closes the window and returns its spans.
    [[nodiscard]] static RecordedSpans close();
    // Sets runs_eagerly(). No work may be enqueued meanwhile.
    static void set_runs_eagerly(bool is_eager);
    // Sets runs_eagerly() until set_step() begins the second step from now.
    static void run_next_step_eagerly();
    // Keeps these operations until the window closes, since spans refer to them. [any thread]
    static void keep(const Operations& operations);
};

}  // namespace sluice::profile
