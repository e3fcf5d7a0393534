// The plane "/device:GPU:N".
#include "xprof/device_plane.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "profile/labels.hpp"
#include "sluice/sdk/guard.hpp"
#include "sluice/sdk/tensor.hpp"
#include "xprof/steps.hpp"

namespace sluice::observers {
namespace {

constexpr std::int64_t kStepLine = -559038737;  // 0xdeadbeef as int32: XProf's number for the line of steps
constexpr std::int64_t kWaitLine = 1'000'000;   // no stream has this number

struct Interval {
    std::int64_t begin;
    std::int64_t end;
};

// Sorted and apart.
std::vector<Interval> busy_times(const Window& window, std::uint32_t device) {
    std::vector<Interval> busy;
    for (const sluice_span& span : window.spans()) {  // by begin
        if (!window.is_on_stream(span) || window.thread_of(span).device != device) {
            continue;
        }
        if (!busy.empty() && span.begin_ns <= busy.back().end) {
            busy.back().end = std::max(busy.back().end, end_of(span));
        } else {
            busy.push_back({span.begin_ns, end_of(span)});
        }
    }
    return busy;
}

// The parts of `whole` that are in none of `busy`.
std::vector<Interval> without(Interval whole, const std::vector<Interval>& busy) {
    std::vector<Interval> left;
    for (const Interval& taken : busy) {
        if (taken.begin >= whole.end) {
            break;
        }
        if (taken.begin > whole.begin) {
            left.push_back({whole.begin, taken.begin});
        }
        whole.begin = std::max(whole.begin, taken.end);
    }
    if (whole.begin < whole.end) {
        left.push_back(whole);
    }
    return left;
}

// XProf takes the text before a colon as the name of an operation, which is no kernel to it.
std::string without_colons(std::string name) {
    std::replace(name.begin(), name.end(), ':', '.');
    return name;
}

std::string name_on_device(const Window& window, const sluice_span& span) {
    const std::string own(window.name(span.name));
    switch (span.kind) {
        case SLUICE_SPAN_UPLOAD:
            return "MemcpyHToD";
        case SLUICE_SPAN_DOWNLOAD:
            return "MemcpyDToH";
        case SLUICE_SPAN_EXCHANGE:
            return without_colons(own.starts_with("nccl") ? own : "nccl " + own);
        default:
            return without_colons(own.empty() ? label_of(window, span) : own);
    }
}

std::vector<XStat> stats_on_device(const Window& window, const sluice_span& span, std::uint64_t correlation) {
    std::vector<XStat> stats = group_of(span.step);
    stats.push_back({"correlation_id", correlation});
    if (span.kind == SLUICE_SPAN_UPLOAD || span.kind == SLUICE_SPAN_DOWNLOAD) {
        stats.push_back({"memcpy_details", "num_bytes:" + std::to_string(span.bytes) + "\n"});
    }
    if (const sluice_profile_operation* const operation = window.operation_of(span)) {
        stats.push_back({"tf_op", Repeated{operation_name(path_of(*operation), type_of(*operation))}});
        // XProf counts a kernel as 16-bit arithmetic if its shape contains the word "half".
        const std::string shape(sdk::view(operation->shape));
        stats.push_back({"shape", Repeated{sdk::is_16_bit_float(operation->dtype) ? "half[" + shape + "]" : shape}});
        stats.push_back({"kernel", Repeated{std::string(sdk::view(operation->kernel))}});
        stats.push_back({"flop", operation->done_flop});
    }
    return stats;
}

// The event by which XProf counts the idle time of a device during a stage of the loop: as input, exchange or output.
// Empty: as "All others".
std::string_view wait_during(std::string_view stage) {
    static constexpr std::pair<std::string_view, std::string_view> kWaits[] = {
        {"read", "MemcpyHToD (waiting for a batch)"},
        {"preprocess", "MemcpyHToD (waiting for a batch)"},
        {"upload", "MemcpyHToD (upload)"},
        {"exchange", "nccl (exchange)"},
        {"download", "MemcpyDToH (download)"},
        {"output", "MemcpyDToH (output)"},
        {"storage", "MemcpyDToH (storage)"}};
    for (const auto& [name, wait] : kWaits) {
        if (name == stage) {
            return wait;
        }
    }
    return {};
}

class DevicePlane {
public:
    DevicePlane(const Window& window, std::uint32_t device)
        : window_(window), device_(device), steps_(steps_of_device(window, device)) {}

    XPlane plane() {
        XPlane plane{"/device:GPU:" + std::to_string(device_), {}, stats()};
        plane.lines.push_back(step_line());
        const XLine waits = wait_line();
        if (!waits.events.empty()) {
            plane.lines.push_back(waits);
        }
        for (XLine& line : stream_lines()) {
            plane.lines.push_back(std::move(line));
        }
        return plane;
    }

private:
    [[nodiscard]] std::vector<XStat> stats() const {
        std::vector<XStat> stats;
        const std::string name(sdk::view(window_.head().device));
        stats.push_back({"device_vendor", std::string("Nvidia")});
        stats.push_back({"device_name", name});
        if (window_.head().peak_flop > 0.0) {
            stats.push_back({"peak_teraflops_per_second", window_.head().peak_flop / 1e12});
        }
        if (window_.head().peak_bandwidth > 0.0) {
            stats.push_back({"memory_bandwidth", static_cast<std::uint64_t>(window_.head().peak_bandwidth)});
        }
        return stats;
    }

    // With a device in the file, XProf ignores the host for the time of steps. It finds them in this line only.
    [[nodiscard]] XLine step_line() const {
        XLine line{kStepLine, "Steps", {}};
        for (const StepTime& step : steps_) {
            line.events.push_back(step_marker(step));
        }
        return line;
    }

    // XProf sees that a device waits only if the wait is on the device's own time line. While the device works, what
    // the loop does costs the step nothing.
    [[nodiscard]] XLine wait_line() {
        XLine line{kWaitLine, "Waits", {}};
        const std::vector<Interval> busy = busy_times(window_, device_);
        for (const sluice_span& span : window_.spans()) {
            if (span.kind != SLUICE_SPAN_STAGE || !window_.is_on_loop(span)) {
                continue;
            }
            const std::string_view name = wait_during(window_.name(span.name));
            if (name.empty()) {
                continue;
            }
            for (const Interval& idle : without({span.begin_ns, end_of(span)}, busy)) {
                add_wait(name, idle, line);
            }
        }
        return line;
    }

    void add_wait(std::string_view name, const Interval& wait, XLine& line) {
        for (const StepTime& step : steps_) {
            const std::int64_t begin = std::max(wait.begin, step.begin_ns);
            const std::int64_t end = std::min(wait.end, step.end_ns);
            if (begin < end) {
                std::vector<XStat> stats = group_of(step.step);
                stats.push_back({"correlation_id", ++correlation_});
                line.events.push_back({std::string(name), begin, end - begin, std::move(stats)});
            }
        }
    }

    [[nodiscard]] std::vector<XLine> stream_lines() {
        std::map<std::uint32_t, XLine> lines;  // by thread
        for (const sluice_span& span : window_.spans()) {
            if (!window_.is_on_stream(span) || window_.thread_of(span).device != device_) {
                continue;
            }
            const sluice_profile_thread& stream = window_.thread_of(span);
            XLine& line =
                lines.emplace(span.thread, XLine{stream.id, std::string(sdk::view(stream.name)), {}}).first->second;
            line.events.push_back({name_on_device(window_, span), span.begin_ns, span.duration_ns,
                                   stats_on_device(window_, span, ++correlation_)});
        }
        std::vector<XLine> found;
        for (auto& [thread, line] : lines) {
            found.push_back(std::move(line));
        }
        return found;
    }

    const Window& window_;
    std::uint32_t device_;
    std::vector<StepTime> steps_;
    std::uint64_t correlation_ = 0;  // XProf counts only work that has one
};

}  // namespace

XPlane device_plane(const Window& window, std::uint32_t device) { return DevicePlane(window, device).plane(); }

}  // namespace sluice::observers
