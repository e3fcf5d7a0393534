// A window in the JSON format of Chrome's traces, with the names and fields of Kineto.
#include "trace/chrome_trace.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "profile/arena.hpp"
#include "profile/labels.hpp"
#include "sluice/sdk/guard.hpp"
#include "sluice/sdk/tensor.hpp"
#include "trace/launches.hpp"

namespace sluice::observers {
namespace {

using Json = nlohmann::ordered_json;

std::string dump(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

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
        Json devices = Json::array();
        for (const std::uint32_t device : window_.devices()) {
            devices.push_back({{"id", device}, {"name", sdk::view(head.device)}});
        }
        text_ += "\"deviceProperties\": " + dump(devices) + ",\n";
        text_ += "\"displayTimeUnit\": \"ms\",\n\"baseTimeNanoseconds\": " + std::to_string(head.began_unix_ns) + ",\n";
        text_ += "\"traceName\": " + dump(window_name(window_)) + ",\n";
        const Json about = {{"device", sdk::view(head.device)}, {"dropped_spans", head.dropped_spans}};
        text_ += "\"sluice\": " + dump(about) + ",\n\"traceEvents\": [";
    }

    void add(const Json& event) {
        text_ += is_first_ ? "\n" : ",\n";
        text_ += dump(event);
        is_first_ = false;
    }

    void add_name(std::string_view what, std::int64_t pid, std::int64_t tid, const Json& args) {
        add({{"ph", "M"}, {"name", what}, {"pid", pid}, {"tid", tid}, {"ts", 0.0}, {"args", args}});
    }

    void name_processes() {
        add_name("process_name", host_pid_, 0, {{"name", "host, rank " + std::to_string(window_.head().rank)}});
        add_name("process_labels", host_pid_, 0, {{"labels", "CPU"}});
        add_name("process_sort_index", host_pid_, 0, {{"sort_index", 0}});
        for (const std::uint32_t device : window_.devices()) {
            add_name("process_name", device, 0, {{"name", sdk::view(window_.head().device)}});
            add_name("process_labels", device, 0, {{"labels", "GPU " + std::to_string(device)}});
            add_name("process_sort_index", device, 0, {{"sort_index", 1 + device}});
        }
        for (const sluice_profile_thread& thread : window_.threads()) {
            const bool is_stream = thread.kind == SLUICE_THREAD_STREAM;
            const std::int64_t pid = is_stream ? thread.device : host_pid_;
            add_name("thread_name", pid, thread.id, {{"name", sdk::view(thread.name)}});
            add_name("thread_sort_index", pid, thread.id, {{"sort_index", thread.kind}});
        }
    }

    [[nodiscard]] Json complete(std::string_view category, std::string_view name, std::int64_t pid, std::int64_t tid,
                                std::int64_t begin_ns, std::int64_t duration_ns) const {
        return {{"ph", "X"},
                {"cat", category},
                {"name", name},
                {"pid", pid},
                {"tid", tid},
                {"ts", microseconds(begin_ns)},
                {"dur", microseconds(duration_ns)}};
    }

    void describe(Json& args, const sluice_span& span) const {
        if (span.step != 0) {
            args["step"] = span.step;
        }
        if (span.sample >= 0) {
            args["sample"] = span.sample;
        }
        const sluice_profile_operation* const operation = window_.operation_of(span);
        if (operation != nullptr) {
            args["layer"] = sdk::view(operation->path);
            args["type"] = sdk::view(operation->type);
            args["shape"] = sdk::view(operation->shape);
            args["implementation"] = sdk::view(operation->kernel);
            args["dtype"] = sdk::name_of(operation->dtype);
            args["flop"] = operation->flop;
            args["done_flop"] = operation->done_flop;
        }
        const double bytes = operation != nullptr ? operation->bytes : static_cast<double>(span.bytes);
        if (bytes > 0.0) {
            args["bytes"] = std::llround(bytes);
        }
    }

    void add_host_span(std::size_t index) {
        const sluice_span& span = window_.spans()[index];
        const std::int64_t tid = window_.thread_of(span).id;
        const bool is_step = span.kind == SLUICE_SPAN_STEP;
        const std::string name = is_step ? "ProfilerStep#" + std::to_string(span.step) : label_of(window_, span);
        // The next step begins when this one ends. Holistic Trace Analysis would take it as a part of this one.
        const std::int64_t duration = is_step ? std::max<std::int64_t>(0, span.duration_ns - 1) : span.duration_ns;
        Json event = complete(category_on_host(window_, span), name, host_pid_, tid, span.begin_ns, duration);
        event["args"] = {{"External id", external_id(index)}};
        describe(event["args"], span);
        add(event);
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
        Json call = complete("cuda_runtime", "cudaDeviceSynchronize", host_pid_, tid, span.begin_ns, span.duration_ns);
        call["args"] = {{"External id", external_id(index)}, {"correlation", number}};
        add(call);
        for (const std::uint32_t device : window_.devices()) {
            Json wait = complete("cuda_sync", "Context Sync", device, -1, span.begin_ns, span.duration_ns);
            wait["args"] = {{"External id", external_id(index)},
                            {"correlation", number},
                            {"stream", -1},
                            {"device", device},
                            {"cuda_sync_kind", "Context Sync"}};
            add(wait);
        }
    }

    void add_call(const RuntimeCall& call, std::size_t host_span, std::int64_t tid) {
        Json event = complete("cuda_runtime", is_copy(call.device_kind) ? "cudaMemcpyAsync" : "cudaLaunchKernel",
                              host_pid_, tid, call.begin_ns, call.duration_ns);
        event["args"] = {{"External id", external_id(host_span)}, {"correlation", call.number}};
        add(event);
        add_arrow("s", call.number, host_pid_, tid, call.begin_ns);
    }

    // An arrow from the call of the host to the work of the device.
    void add_arrow(std::string_view phase, std::int64_t number, std::int64_t pid, std::int64_t tid, std::int64_t at) {
        Json arrow = {{"ph", phase},   {"id", number},  {"pid", pid}, {"tid", tid}, {"ts", microseconds(at)},
                      {"cat", "ac2g"}, {"name", "ac2g"}};
        if (phase == "f") {
            arrow["bp"] = "e";
        }
        add(arrow);
    }

    void add_stream_span(std::size_t index) {
        const sluice_span& span = window_.spans()[index];
        const sluice_profile_thread& stream = window_.thread_of(span);
        const std::int64_t number = launches_.number_of(index);
        Json event = complete(is_copy(span.kind) ? "gpu_memcpy" : "kernel", name_on_stream(window_, span),
                              stream.device, stream.id, span.begin_ns, span.duration_ns);
        event["args"] = {{"External id", external_id(launches_.host_span_of(index))},
                         {"device", stream.device},
                         {"context", 1},
                         {"stream", stream.id},
                         {"correlation", number}};
        describe(event["args"], span);
        add_bandwidth(event["args"], span);
        add(event);
        if (launches_.host_span_of(index) != index) {
            add_arrow("f", number, stream.device, stream.id, span.begin_ns);
        }
    }

    static void add_bandwidth(Json& args, const sluice_span& span) {
        if (is_copy(span.kind) && span.bytes > 0 && span.duration_ns > 0) {
            args["memory bandwidth (GB/s)"] = static_cast<double>(span.bytes) / static_cast<double>(span.duration_ns);
        }
    }

    // PyTorch's form of an allocation.
    void add_allocation(const sluice_span& span) {
        const auto bytes = static_cast<std::int64_t>(span.bytes);
        const bool is_release = span.kind == SLUICE_SPAN_RELEASE;
        add({{"ph", "i"},
             {"cat", "cpu_instant_event"},
             {"s", "t"},
             {"name", "[memory]"},
             {"pid", host_pid_},
             {"tid", window_.thread_of(span).id},
             {"ts", microseconds(span.begin_ns)},
             {"args", {{"Bytes", is_release ? -bytes : bytes}, {"label", label_of(window_, span)}}}});
    }

    void add_counter(std::string_view name, std::int64_t at, const Json& value) {
        add({{"ph", "C"},
             {"name", name},
             {"pid", host_pid_},
             {"tid", 0},
             {"ts", microseconds(at)},
             {"args", {{"value", value}}}});
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
