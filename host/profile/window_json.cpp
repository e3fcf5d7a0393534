#include "profile/window_json.hpp"

#include <fmt/format.h>

#include <cmath>
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
    json all{{"time", to_nanoseconds(stages.time)}};
    for (std::size_t i = 0; i < kStages; ++i) {
        if (const double seconds = stages.seconds[static_cast<Stage>(i)]; seconds > 0.0) {
            all[std::string(name_of(static_cast<Stage>(i)))] = seconds;
        }
    }
    return all;
}

WindowDeviceStages read_device_stages(const json& from) {
    WindowDeviceStages stages{.time = to_seconds(from.at("time")), .seconds = {}};
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

Operation read_operation(const json& from) {
    return {.path = from.at("path"),
            .type = from.at("type"),
            .shape = from.at("shape"),
            .kernel = from.at("kernel"),
            .flop = from.at("flop"),
            .done_flop = from.at("done_flop"),
            .bytes = from.at("bytes"),
            .kind = from.at("kind"),
            .dtype = {from.at("dtype").at(0), from.at("dtype").at(1), 1},
            .share = from.at("share")};
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
    return RecordingCost{.seconds = from.at("seconds"),
                         .noise = from.at("noise"),
                         .step_seconds = from.at("step_seconds"),
                         .steps = from.at("steps"),
                         .is_in_turn = from.at("in_turn")};
}

Window read_window(const json& from) {
    if (from.at("version") != kVersion) {
        throw Error(Exit::config,
                    fmt::format("version {}; this program reads version {}", from.at("version").dump(), kVersion));
    }
    Window window;
    window.first_step = from.at("first_step");
    window.last_step = from.at("last_step");
    window.seconds = to_seconds(from.at("duration"));
    window.began_unix_ns = from.at("began_unix_ns");
    window.rank = from.at("rank");
    window.ranks = from.at("ranks");
    window.dropped_spans = from.at("dropped_spans");
    window.cost = read_cost(from.at("cost"));
    window.peak_flop = from.at("peak_flop");
    window.peak_bandwidth = from.at("peak_bandwidth");
    window.device = from.at("device");
    window.runs_eagerly = from.at("runs_eagerly");
    window.eager_step = from.at("eager_step");
    for (const json& stages : from.at("on_device")) {
        window.on_device.push_back(read_device_stages(stages));
    }
    for (const json& size : from.at("bandwidth")) {
        window.bandwidth.push_back({.bytes = size.at("bytes"), .read = size.at("bytes_per_second")});
    }
    window.names = from.at("names").get<std::vector<std::string>>();
    for (const json& thread : from.at("threads")) {
        window.threads.push_back(
            {thread.at("name"), thread.at("id"), thread.at("kind"), read_index(thread.at("device"), kNone, "device")});
    }
    for (const json& operation : from.at("operations")) {
        window.operations.push_back(read_operation(operation));
    }
    const auto operation_index = [&](const json& value) {
        return read_index(value, window.operations.size(), "operation");
    };
    for (const json& tensor : from.at("tensors")) {
        window.tensors.push_back({tensor.at("name"), tensor.at("bytes"), tensor.at("offset"),
                                  operation_index(tensor.at("first_operation")),
                                  operation_index(tensor.at("last_operation"))});
    }
    const json& spans = from.at("spans");
    for (std::size_t i = 0; i < spans.at("begin").size(); ++i) {
        window.spans.push_back(read_span(spans, i, window));
    }
    const json& points = from.at("points");
    for (std::size_t i = 0; i < points.at("time").size(); ++i) {
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
    try {
        return read_window(json::parse(text));
    } catch (const json::exception& error) {
        throw Error(Exit::config, fmt::format("{}: not a recorded window: {}", file, error.what()));
    } catch (const Error& error) {
        throw Error(error.exit(), fmt::format("{}: not a recorded window: {}", file, error.what()));
    }
}

}  // namespace sluice::profile
