// A recorded window of steps, as the host keeps it. Times are seconds since the window began.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/peaks/bandwidth.hpp"
#include "profile/operation.hpp"
#include "profile/recording_cost.hpp"
#include "profile/stage.hpp"

namespace sluice::profile {

inline constexpr std::uint32_t kNone = SLUICE_NONE;

struct WindowSpan {
    double begin = 0.0;
    double seconds = 0.0;
    std::uint32_t kind = SLUICE_SPAN_STAGE;
    std::uint32_t thread = 0;         // index in Window::threads
    std::uint32_t name = kNone;       // index in Window::names
    std::uint32_t operation = kNone;  // index in Window::operations
    std::int64_t step = 0;            // 0: none
    std::int64_t sample = -1;         // -1: none
    std::uint64_t bytes = 0;
    std::uint64_t correlation = 0;

    [[nodiscard]] double end() const { return begin + seconds; }
};

struct WindowThread {
    std::string name;
    std::int64_t id = 0;
    std::uint32_t kind = SLUICE_THREAD_OTHER;
    std::uint32_t device = kNone;  // of a stream
};

struct WindowPoint {
    double time = 0.0;
    double value = 0.0;
    std::uint32_t name = kNone;
};

// A time in which the first replica's device is busy with a step. It is divided like `seconds`.
struct WindowDeviceStages {
    double begin = 0.0;
    double end = 0.0;
    StageSeconds seconds;
};

// The fields are those of sluice_profile, unless a comment says otherwise.
struct Window {
    std::int64_t first_step = 0;
    std::int64_t last_step = 0;
    double seconds = 0.0;
    std::uint64_t began_unix_ns = 0;
    std::uint32_t rank = 0;
    std::uint32_t ranks = 1;
    std::uint64_t dropped_spans = 0;
    std::optional<RecordingCost> cost;  // of a step; nothing: not measured
    double peak_flop = 0.0;             // per second; 0: not measured
    double peak_bandwidth = 0.0;
    std::string device;
    // The steps ran without captured graphs, unlike others; not in sluice_profile.
    bool runs_eagerly = false;
    // The only step that ran so, which shows the layers of kernels; 0: none. Not in sluice_profile.
    std::int64_t eager_step = 0;
    std::vector<WindowDeviceStages> on_device;  // by time; not in sluice_profile
    std::vector<Bandwidth> bandwidth;           // of blocks of several sizes, ascending; not in sluice_profile
    std::vector<WindowSpan> spans;              // by begin; of equal ones the longer first
    std::vector<WindowThread> threads;
    std::vector<Operation> operations;  // in the order in which a step launches them
    std::vector<ArenaTensor> tensors;
    std::vector<WindowPoint> points;  // by time
    std::vector<std::string> names;
};

}  // namespace sluice::profile
