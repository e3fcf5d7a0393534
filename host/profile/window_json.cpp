#include "profile/window_json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.hpp"

namespace sluice::profile {
namespace {

using nlohmann::json;

constexpr int kVersion = 1;

std::int64_t to_nanoseconds(double seconds) { return std::llround(1e9 * seconds); }
double to_seconds(std::int64_t nanoseconds) { return 1e-9 * static_cast<double>(nanoseconds); }

// An index that names nothing is written as -1.
std::int64_t written(std::uint32_t index) { return index == kNone ? -1 : std::int64_t{index}; }

std::uint32_t read_index(const json& value, std::size_t count, const char* what) {
    const auto index = value.get<std::int64_t>();
    if (index < -1 || index >= static_cast<std::int64_t>(count)) {
        throw Error(Exit::config, fmt::format("{} {} of {}", what, index, count));
    }
    return index < 0 ? kNone : static_cast<std::uint32_t>(index);
}

template <class Element, class Value>
json column(const std::vector<Element>& elements, const Value& value) {
    json all = json::array();
    for (const Element& element : elements) {
        all.push_back(value(element));
    }
    return all;
}

json spans_of(const Window& window) {
    const auto of = [&](const auto& value) { return column(window.spans, value); };
    return {{"begin", of([](const WindowSpan& span) { return to_nanoseconds(span.begin); })},
            {"end", of([](const WindowSpan& span) { return to_nanoseconds(span.end()); })},
            {"kind", of([](const WindowSpan& span) { return span.kind; })},
            {"thread", of([](const WindowSpan& span) { return span.thread; })},
            {"name", of([](const WindowSpan& span) { return written(span.name); })},
            {"operation", of([](const WindowSpan& span) { return written(span.operation); })},
            {"step", of([](const WindowSpan& span) { return span.step; })},
            {"sample", of([](const WindowSpan& span) { return span.sample; })},
            {"bytes", of([](const WindowSpan& span) { return span.bytes; })},
            {"correlation", of([](const WindowSpan& span) { return span.correlation; })}};
}

json points_of(const Window& window) {
    const auto of = [&](const auto& value) { return column(window.points, value); };
    return {{"time", of([](const WindowPoint& point) { return to_nanoseconds(point.time); })},
            {"value", of([](const WindowPoint& point) { return point.value; })},
            {"name", of([](const WindowPoint& point) { return written(point.name); })}};
}

json device_stages_json(const WindowDeviceStages& stages) {
    json all{{"begin", to_nanoseconds(stages.begin)}, {"end", to_nanoseconds(stages.end)}};
    for (std::size_t i = 0; i < kStages; ++i) {
        if (const double seconds = stages.seconds[static_cast<Stage>(i)]; seconds > 0.0) {
            all[std::string(name_of(static_cast<Stage>(i)))] = seconds;
        }
    }
    return all;
}

WindowDeviceStages read_device_stages(const json& from) {
    WindowDeviceStages stages{.begin = to_seconds(from.at("begin")), .end = to_seconds(from.at("end")), .seconds = {}};
    for (std::size_t i = 0; i < kStages; ++i) {
        const auto stage = static_cast<Stage>(i);
        stages.seconds[stage] = from.value(std::string(name_of(stage)), 0.0);
    }
    return stages;
}

json bandwidth_json(const Bandwidth& bandwidth) {
    return {{"bytes", bandwidth.bytes}, {"bytes_per_second", bandwidth.best()}};
}

json operation_json(const Operation& operation) {
    return {
        {"path", operation.path},     {"type", operation.type}, {"shape", operation.shape},
        {"kernel", operation.kernel}, {"flop", operation.flop}, {"done_flop", operation.done_flop},
        {"bytes", operation.bytes},   {"kind", operation.kind}, {"dtype", {operation.dtype.code, operation.dtype.bits}},
        {"share", operation.share}};
}

json tensor_json(const ArenaTensor& tensor) {
    return {{"name", tensor.name},
            {"bytes", tensor.bytes},
            {"offset", tensor.offset},
            {"first_operation", tensor.first_operation},
            {"last_operation", tensor.last_operation}};
}

json thread_json(const WindowThread& thread) {
    return {{"name", thread.name}, {"id", thread.id}, {"kind", thread.kind}, {"device", written(thread.device)}};
}

// Throws Error(Exit::config) that names a field which is missing.
const json& field(const json& from, const char* name) {
    const auto found = from.find(name);
    if (found == from.end()) {
        throw Error(Exit::config, fmt::format("the field '{}' is missing", name));
    }
    return *found;
}

// Returns the number of values of each column.
std::size_t check_columns(const json& table, const char* name, std::initializer_list<const char*> columns) {
    const std::size_t size = field(table, *columns.begin()).size();
    for (const char* const column : columns) {
        const json& values = field(table, column);
        if (!values.is_array()) {
            throw Error(Exit::config, fmt::format("'{}.{}' is not a list", name, column));
        }
        if (values.size() != size) {
            throw Error(Exit::config, fmt::format("'{}.{}' has {} values, but '{}.{}' has {}", name, column,
                                                  values.size(), name, *columns.begin(), size));
        }
    }
    return size;
}

Operation read_operation(const json& from) {
    return {.path = field(from, "path"),
            .type = field(from, "type"),
            .shape = field(from, "shape"),
            .kernel = field(from, "kernel"),
            .flop = field(from, "flop"),
            .done_flop = field(from, "done_flop"),
            .bytes = field(from, "bytes"),
            .kind = field(from, "kind"),
            .dtype = {field(from, "dtype").at(0), field(from, "dtype").at(1), 1},
            .share = field(from, "share")};
}

WindowSpan read_span(const json& spans, std::size_t i, const Window& window) {
    const auto at = [&](const char* field) -> const json& { return spans.at(field).at(i); };
    WindowSpan span{.begin = to_seconds(at("begin")),
                    .kind = at("kind"),
                    .thread = read_index(at("thread"), window.threads.size(), "thread"),
                    .name = read_index(at("name"), window.names.size(), "name"),
                    .operation = read_index(at("operation"), window.operations.size(), "operation"),
                    .step = at("step"),
                    .sample = at("sample"),
                    .bytes = at("bytes"),
                    .correlation = at("correlation")};
    span.seconds = to_seconds(at("end")) - span.begin;
    if (span.thread == kNone || span.seconds < 0.0) {
        throw Error(Exit::config, fmt::format("span {} has no thread, or ends before it begins", i));
    }
    return span;
}

json cost_json(const std::optional<RecordingCost>& cost) {
    return !cost ? json()
                 : json{{"seconds", cost->seconds},
                        {"noise", cost->noise},
                        {"step_seconds", cost->step_seconds},
                        {"steps", cost->steps},
                        {"in_turn", cost->is_in_turn}};
}

std::optional<RecordingCost> read_cost(const json& from) {
    if (from.is_null()) {
        return std::nullopt;
    }
    return RecordingCost{.seconds = field(from, "seconds"),
                         .noise = field(from, "noise"),
                         .step_seconds = field(from, "step_seconds"),
                         .steps = field(from, "steps"),
                         .is_in_turn = field(from, "in_turn")};
}

Window read_window(const json& from) {
    if (field(from, "version") != kVersion) {
        throw Error(Exit::config,
                    fmt::format("version {}; this program reads version {}", field(from, "version").dump(), kVersion));
    }
    Window window;
    window.first_step = field(from, "first_step");
    window.last_step = field(from, "last_step");
    if (window.first_step > window.last_step) {
        throw Error(Exit::config,
                    fmt::format("first_step {} is after last_step {}", window.first_step, window.last_step));
    }
    window.seconds = to_seconds(field(from, "duration"));
    window.began_unix_ns = field(from, "began_unix_ns");
    window.rank = field(from, "rank");
    window.ranks = field(from, "ranks");
    window.dropped_spans = field(from, "dropped_spans");
    window.cost = read_cost(field(from, "cost"));
    window.peak_flop = field(from, "peak_flop");
    window.peak_bandwidth = field(from, "peak_bandwidth");
    window.device = field(from, "device");
    window.runs_eagerly = field(from, "runs_eagerly");
    window.eager_step = field(from, "eager_step");
    for (const json& stages : field(from, "on_device")) {
        window.on_device.push_back(read_device_stages(stages));
    }
    for (const json& size : field(from, "bandwidth")) {
        window.bandwidth.push_back({.bytes = field(size, "bytes"), .read = field(size, "bytes_per_second")});
    }
    window.names = field(from, "names").get<std::vector<std::string>>();
    for (const json& thread : field(from, "threads")) {
        window.threads.push_back({field(thread, "name"), field(thread, "id"), field(thread, "kind"),
                                  read_index(field(thread, "device"), kNone, "device")});
    }
    for (const json& operation : field(from, "operations")) {
        window.operations.push_back(read_operation(operation));
    }
    const auto operation_index = [&](const json& value) {
        return read_index(value, window.operations.size(), "operation");
    };
    for (const json& tensor : field(from, "tensors")) {
        window.tensors.push_back({field(tensor, "name"), field(tensor, "bytes"), field(tensor, "offset"),
                                  operation_index(field(tensor, "first_operation")),
                                  operation_index(field(tensor, "last_operation"))});
    }
    const json& spans = field(from, "spans");
    const std::size_t span_count = check_columns(
        spans, "spans",
        {"begin", "end", "kind", "thread", "name", "operation", "step", "sample", "bytes", "correlation"});
    for (std::size_t i = 0; i < span_count; ++i) {
        window.spans.push_back(read_span(spans, i, window));
    }
    const json& points = field(from, "points");
    const std::size_t point_count = check_columns(points, "points", {"time", "value", "name"});
    for (std::size_t i = 0; i < point_count; ++i) {
        window.points.push_back({to_seconds(points.at("time").at(i)), points.at("value").at(i),
                                 read_index(points.at("name").at(i), window.names.size(), "name")});
    }
    return window;
}

}  // namespace

std::string to_json(const Window& window) {
    const json all = {{"version", kVersion},
                      {"first_step", window.first_step},
                      {"last_step", window.last_step},
                      {"duration", to_nanoseconds(window.seconds)},
                      {"began_unix_ns", window.began_unix_ns},
                      {"rank", window.rank},
                      {"ranks", window.ranks},
                      {"dropped_spans", window.dropped_spans},
                      {"cost", cost_json(window.cost)},
                      {"peak_flop", window.peak_flop},
                      {"peak_bandwidth", window.peak_bandwidth},
                      {"device", window.device},
                      {"runs_eagerly", window.runs_eagerly},
                      {"eager_step", window.eager_step},
                      {"on_device", column(window.on_device, device_stages_json)},
                      {"bandwidth", column(window.bandwidth, bandwidth_json)},
                      {"names", window.names},
                      {"threads", column(window.threads, thread_json)},
                      {"operations", column(window.operations, operation_json)},
                      {"tensors", column(window.tensors, tensor_json)},
                      {"spans", spans_of(window)},
                      {"points", points_of(window)}};
    return all.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

Window parse_window(const std::string& text, const std::string& file) {
    std::string problem;
    try {
        return read_window(json::parse(text));
    } catch (const json::parse_error& error) {
        problem = text.empty()               ? "it is empty"
                  : error.byte > text.size() ? fmt::format("it is cut off after {} bytes", text.size())
                                             : fmt::format("it is damaged at byte {}", error.byte);
    } catch (const json::out_of_range&) {
        problem = "a value is missing";
    } catch (const json::exception&) {
        problem = "a value is of another type than it must be";
    } catch (const Error& error) {
        problem = error.what();
    }
    throw Error(Exit::config, fmt::format("{}: not a recorded window: {}", file, problem));
}

}  // namespace sluice::profile
