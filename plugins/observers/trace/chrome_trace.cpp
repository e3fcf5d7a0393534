// A window in the JSON format of Chrome's traces, with the names and fields of Kineto.
#include "trace/chrome_trace.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "profile/arena.hpp"
#include "profile/labels.hpp"
#include "sluice/sdk/guard.hpp"
#include "sluice/sdk/tensor.hpp"
#include "trace/json_object.hpp"
#include "trace/launches.hpp"

namespace sluice::observers {
namespace {

double microseconds(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1000.0; }

// Kineto's names, by which tools tell copies and collectives from kernels.
std::string name_on_stream(const Window& window, const sluice_span& span) {
    const std::string own(window.name(span.name));
    switch (span.kind) {
        case SLUICE_SPAN_UPLOAD:
            return "Memcpy HtoD (Pinned -> Device)";
        case SLUICE_SPAN_DOWNLOAD:
            return "Memcpy DtoH (Device -> Pinned)";
        case SLUICE_SPAN_EXCHANGE:
            return own.starts_with("nccl") ? own : "ncclDevKernel " + own;
        default:
            return own.empty() ? label_of(window, span) : own;
    }
}

// Holistic Trace Analysis takes operators as the critical path. Threads beside the training have none.
std::string_view category_on_host(const Window& window, const sluice_span& span) {
    const std::uint32_t thread = window.thread_of(span).kind;
    const bool computes = thread == SLUICE_THREAD_LOOP || thread == SLUICE_THREAD_COMPUTE;
    switch (span.kind) {
        case SLUICE_SPAN_STEP:
        case SLUICE_SPAN_STAGE:
        case SLUICE_SPAN_OBSERVER:
        case SLUICE_SPAN_STORAGE:
        case SLUICE_SPAN_EVALUATION:
            return "user_annotation";
        default:
            return computes ? "cpu_op" : "user_annotation";
    }
}

bool is_copy(std::uint32_t kind) { return kind == SLUICE_SPAN_UPLOAD || kind == SLUICE_SPAN_DOWNLOAD; }

class Writer {
public:
    explicit Writer(const Window& window) : window_(window), launches_(window) {}

    std::string write() {
        begin();
        name_processes();
        for (std::size_t i = 0; i < window_.spans().size(); ++i) {
            const sluice_span& span = window_.spans()[i];
            if (window_.is_on_stream(span)) {
                add_stream_span(i);
            } else if (span.kind == SLUICE_SPAN_ALLOCATION || span.kind == SLUICE_SPAN_RELEASE) {
                add_allocation(span);
            } else {
                add_host_span(i);
            }
        }
        add_counters();
        return text_ + "\n]\n}\n";
    }

private:
    // Holistic Trace Analysis finds the rank by the text '"rank": N' on a line, with the space.
    void begin() {
        const sluice_profile& head = window_.head();
        text_ = "{\n\"schemaVersion\": 1,\n\"distributedInfo\": {\"backend\": \"sluice\", \"rank\": " +
                std::to_string(head.rank) + ", \"world_size\": " + std::to_string(head.ranks) + "},\n";
        std::string devices;
        for (const std::uint32_t device : window_.devices()) {
            devices += devices.empty() ? "" : ",";
            devices += JsonObject().add("id", device).add("name", sdk::view(head.device)).text();
        }
        text_ += "\"deviceProperties\": [" + devices + "],\n";
        text_ += "\"displayTimeUnit\": \"ms\",\n\"baseTimeNanoseconds\": " + std::to_string(head.began_unix_ns) + ",\n";
        text_ += "\"traceName\": " + json_text(window_name(window_)) + ",\n";
        JsonObject about;
        about.add("device", sdk::view(head.device)).add("dropped_spans", head.dropped_spans);
        text_ += "\"sluice\": " + about.text() + ",\n\"traceEvents\": [";
    }

    void add(const JsonObject& event) {
        text_ += is_first_ ? "\n" : ",\n";
        text_ += event.text();
        is_first_ = false;
    }

    template <class T>
    void add_name(std::string_view what, std::int64_t pid, std::int64_t tid, std::string_view key, const T& value) {
        JsonObject event;
        event.add("ph", "M").add("name", what).add("pid", pid).add("tid", tid).add("ts", 0.0);
        add(event.add("args", JsonObject().add(key, value)));
    }

    void name_processes() {
        add_name("process_name", host_pid_, 0, "name", "host, rank " + std::to_string(window_.head().rank));
        add_name("process_labels", host_pid_, 0, "labels", "CPU");
        add_name("process_sort_index", host_pid_, 0, "sort_index", 0);
        for (const std::uint32_t device : window_.devices()) {
            add_name("process_name", device, 0, "name", sdk::view(window_.head().device));
            add_name("process_labels", device, 0, "labels", "GPU " + std::to_string(device));
            add_name("process_sort_index", device, 0, "sort_index", 1 + device);
        }
        for (const sluice_profile_thread& thread : window_.threads()) {
            const bool is_stream = thread.kind == SLUICE_THREAD_STREAM;
            const std::int64_t pid = is_stream ? thread.device : host_pid_;
            add_name("thread_name", pid, thread.id, "name", sdk::view(thread.name));
            add_name("thread_sort_index", pid, thread.id, "sort_index", thread.kind);
        }
    }

    [[nodiscard]] static JsonObject complete(std::string_view category, std::string_view name, std::int64_t pid,
                                             std::int64_t tid, std::int64_t begin_ns, std::int64_t duration_ns) {
        JsonObject event;
        event.add("ph", "X").add("cat", category).add("name", name).add("pid", pid).add("tid", tid);
        return event.add("ts", microseconds(begin_ns)).add("dur", microseconds(duration_ns));
    }

    void describe(JsonObject& args, const sluice_span& span) const {
        if (span.step != 0) {
            args.add("step", span.step);
        }
        if (span.sample >= 0) {
            args.add("sample", span.sample);
        }
        const sluice_profile_operation* const operation = window_.operation_of(span);
        if (operation != nullptr) {
            args.add("layer", sdk::view(operation->path));
            args.add("type", sdk::view(operation->type));
            args.add("shape", sdk::view(operation->shape));
            args.add("implementation", sdk::view(operation->kernel));
            args.add("dtype", sdk::name_of(operation->dtype));
            args.add("flop", operation->flop);
            args.add("done_flop", operation->done_flop);
        }
        const double bytes = operation != nullptr ? operation->bytes : static_cast<double>(span.bytes);
        if (bytes > 0.0) {
            args.add("bytes", std::llround(bytes));
        }
    }

    void add_host_span(std::size_t index) {
        const sluice_span& span = window_.spans()[index];
        const std::int64_t tid = window_.thread_of(span).id;
        const bool is_step = span.kind == SLUICE_SPAN_STEP;
        const std::string name = is_step ? "ProfilerStep#" + std::to_string(span.step) : label_of(window_, span);
        // The next step begins when this one ends. Holistic Trace Analysis would take it as a part of this one.
        const std::int64_t duration = is_step ? std::max<std::int64_t>(0, span.duration_ns - 1) : span.duration_ns;
        JsonObject event = complete(category_on_host(window_, span), name, host_pid_, tid, span.begin_ns, duration);
        JsonObject args;
        args.add("External id", external_id(index));
        describe(args, span);
        add(event.add("args", args));
        for (const RuntimeCall& call : launches_.calls_of(index)) {
            add_call(call, index, tid);
        }
        if (span.kind == SLUICE_SPAN_STAGE && window_.name(span.name) == "device" && !window_.devices().empty()) {
            add_synchronization(span, index, tid);
        }
    }

    // The stage "device" waits for all work of the device. Kineto shows such a wait on both sides.
    void add_synchronization(const sluice_span& span, std::size_t index, std::int64_t tid) {
        const std::int64_t number = launches_.count() + ++synchronizations_;
        JsonObject call =
            complete("cuda_runtime", "cudaDeviceSynchronize", host_pid_, tid, span.begin_ns, span.duration_ns);
        add(call.add("args", JsonObject().add("External id", external_id(index)).add("correlation", number)));
        for (const std::uint32_t device : window_.devices()) {
            JsonObject wait = complete("cuda_sync", "Context Sync", device, -1, span.begin_ns, span.duration_ns);
            JsonObject args;
            args.add("External id", external_id(index)).add("correlation", number).add("stream", -1);
            args.add("device", device).add("cuda_sync_kind", "Context Sync");
            add(wait.add("args", args));
        }
    }

    void add_call(const RuntimeCall& call, std::size_t host_span, std::int64_t tid) {
        JsonObject event = complete("cuda_runtime", is_copy(call.device_kind) ? "cudaMemcpyAsync" : "cudaLaunchKernel",
                                    host_pid_, tid, call.begin_ns, call.duration_ns);
        add(event.add("args", JsonObject().add("External id", external_id(host_span)).add("correlation", call.number)));
        add_arrow("s", call.number, host_pid_, tid, call.begin_ns);
    }

    // An arrow from the call of the host to the work of the device.
    void add_arrow(std::string_view phase, std::int64_t number, std::int64_t pid, std::int64_t tid, std::int64_t at) {
        JsonObject arrow;
        arrow.add("ph", phase).add("id", number).add("pid", pid).add("tid", tid).add("ts", microseconds(at));
        arrow.add("cat", "ac2g").add("name", "ac2g");
        if (phase == "f") {
            arrow.add("bp", "e");
        }
        add(arrow);
    }

    void add_stream_span(std::size_t index) {
        const sluice_span& span = window_.spans()[index];
        const sluice_profile_thread& stream = window_.thread_of(span);
        const std::int64_t number = launches_.number_of(index);
        JsonObject event = complete(is_copy(span.kind) ? "gpu_memcpy" : "kernel", name_on_stream(window_, span),
                                    stream.device, stream.id, span.begin_ns, span.duration_ns);
        JsonObject args;
        args.add("External id", external_id(launches_.host_span_of(index))).add("device", stream.device);
        args.add("context", 1).add("stream", stream.id).add("correlation", number);
        describe(args, span);
        add_bandwidth(args, span);
        add(event.add("args", args));
        if (launches_.host_span_of(index) != index) {
            add_arrow("f", number, stream.device, stream.id, span.begin_ns);
        }
    }

    static void add_bandwidth(JsonObject& args, const sluice_span& span) {
        if (is_copy(span.kind) && span.bytes > 0 && span.duration_ns > 0) {
            args.add("memory bandwidth (GB/s)",
                     static_cast<double>(span.bytes) / static_cast<double>(span.duration_ns));
        }
    }

    // PyTorch's form of an allocation.
    void add_allocation(const sluice_span& span) {
        const auto bytes = static_cast<std::int64_t>(span.bytes);
        const bool is_release = span.kind == SLUICE_SPAN_RELEASE;
        JsonObject event;
        event.add("ph", "i").add("cat", "cpu_instant_event").add("s", "t").add("name", "[memory]");
        event.add("pid", host_pid_).add("tid", window_.thread_of(span).id).add("ts", microseconds(span.begin_ns));
        const JsonObject args =
            JsonObject().add("Bytes", is_release ? -bytes : bytes).add("label", label_of(window_, span));
        add(event.add("args", args));
    }

    template <class T>
    void add_counter(std::string_view name, std::int64_t at, T value) {
        JsonObject event;
        event.add("ph", "C").add("name", name).add("pid", host_pid_).add("tid", 0).add("ts", microseconds(at));
        add(event.add("args", JsonObject().add("value", value)));
    }

    void add_counters() {
        for (const sluice_profile_point& point : window_.points()) {
            if (std::isfinite(point.value)) {
                add_counter(window_.name(point.name), point.time_ns, point.value);
            }
        }
        for (const ArenaChange& change : arena_changes(window_)) {
            add_counter("arena_tensor_bytes", change.time_ns, change.live_bytes);
        }
    }

    [[nodiscard]] static std::int64_t external_id(std::size_t index) { return static_cast<std::int64_t>(index) + 1; }

    const Window& window_;
    Launches launches_;
    std::int64_t host_pid_ = ::getpid();
    std::int64_t synchronizations_ = 0;
    bool is_first_ = true;
    std::string text_;
};

}  // namespace

std::string chrome_trace(const Window& window) { return Writer(window).write(); }

}  // namespace sluice::observers
