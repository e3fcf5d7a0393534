// Why the computing threads and streams of a window stood idle between launches.
//
// A thread is idle within a step while it runs no launch. The cause of an idle moment is what the thread itself records
// then, such as a copy; else, on a device, a copy or exchange on another stream; else the stage in which the loop is.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "profile/step_times.hpp"
#include "profile/window.hpp"

namespace sluice::profile {

enum class IdleCause : std::uint8_t {
    input,     // the loop waits for a batch: stages read and preprocess
    copy,      // upload or download
    launch,    // the host prepares or enqueues launches
    exchange,  // other replicas
    observer,  // stage output
    storage,
    other
};
inline constexpr std::size_t kIdleCauses = 7;

std::string_view name_of(IdleCause cause);

// The idle time of a stream by the definitions of Holistic Trace Analysis: the gaps between a stream's spans, from its
// first to its last. Seconds per step, within steps.
struct StreamGaps {
    double host_wait = 0.0;    // the host enqueued the next kernel only after the one before had ended
    double kernel_wait = 0.0;  // it was enqueued in time, and the gap is shorter than 30 ns
    double other = 0.0;        // it was enqueued in time, and waited for something else, such as another stream
};

struct IdleThread {
    std::uint32_t thread = kNone;               // index in Window::threads
    double busy = 0.0;                          // seconds per step in launches
    std::array<double, kIdleCauses> seconds{};  // idle, per step, by cause
    StreamGaps gaps;                            // of a stream

    [[nodiscard]] double idle() const;
    [[nodiscard]] double operator[](IdleCause cause) const { return seconds[static_cast<std::size_t>(cause)]; }
};

// Returns the threads that have launches: streams if there are any, else threads, in the order of Window::threads.
std::vector<IdleThread> idle_split(const Window& window, const StepTimes& times);

}  // namespace sluice::profile
