#include <nlohmann/json.hpp>

#include "profile/report.hpp"

namespace sluice::profile {
namespace {

using Json = nlohmann::ordered_json;

template <class Element, class Value>
Json list_of(const std::vector<Element>& elements, const Value& value) {
    Json list = Json::array();
    for (const Element& element : elements) {
        list.push_back(value(element));
    }
    return list;
}

std::string thread_of(const Window& window, std::uint32_t thread) {
    return thread < window.threads.size() ? window.threads[thread].name : "";
}

std::string operation_of(const Window& window, std::uint32_t operation) {
    return operation < window.operations.size()
               ? std::string(direction_of(window.operations[operation].kind)) + " " + window.operations[operation].path
               : "";
}

Json row_json(const TableRow& row) {
    Json json = {{"name", row.name},
                 {"count", row.count},
                 {"total_seconds", row.total},
                 {"self_seconds", row.self},
                 {"share", row.share},
                 {"flop", row.flop},
                 {"done_flop", row.done_flop},
                 {"bytes", row.bytes},
                 {"flop_per_second", row.flop_rate()},
                 {"bytes_per_second", row.byte_rate()},
                 {"limit_seconds", row.limit},
                 {"of_limit", row.of_limit()},
                 {"algorithm_speedup", row.algorithm_speedup()}};
    if (!row.detail.empty()) {
        json["detail"] = row.detail;
    }
    return json;
}

Json peak_json(const PeakRate& peak) {
    return {{"measured", peak.measured}, {"most", peak.most}, {"reached_by", peak.reached_by}};
}

Json table_json(const OperationTable& table, TableBy by) {
    return {{"by", table_names()[static_cast<std::size_t>(by)]},
            {"thread", table.thread},
            {"peak_flop_per_second", peak_json(table.arithmetic)},
            {"peak_bytes_per_second", peak_json(table.bandwidth)},
            {"rows", list_of(table.rows, row_json)}};
}

Json idle_json(const Window& window, const IdleThread& idle) {
    Json causes;
    for (std::size_t cause = 0; cause < kIdleCauses; ++cause) {
        causes[std::string(name_of(static_cast<IdleCause>(cause)))] = idle.seconds[cause];
    }
    Json json = {{"thread", thread_of(window, idle.thread)},
                 {"busy_seconds", idle.busy},
                 {"idle_seconds", idle.idle()},
                 {"causes", causes}};
    if (window.threads[idle.thread].kind == SLUICE_THREAD_STREAM) {
        json["gaps"] = {
            {"host_wait", idle.gaps.host_wait}, {"kernel_wait", idle.gaps.kernel_wait}, {"other", idle.gaps.other}};
    }
    return json;
}

Json path_json(const WindowReport& report) {
    const Window& window = report.window;
    Json causes = Json::object();
    for (const PathShare& cause : report.path.causes) {
        causes[cause.cause] = cause.seconds;
    }
    return {{"seconds", report.path.seconds},
            {"causes", causes},
            {"parts", list_of(report.path.parts,
                              [&](const PathShare& part) {
                                  return Json{{"thread", thread_of(window, part.thread)},
                                              {"cause", part.cause},
                                              {"what", part.what},
                                              {"seconds", part.seconds}};
                              })},
            {"segments", list_of(report.path.segments, [&](const PathSegment& segment) {
                 return Json{{"begin", segment.begin},
                             {"seconds", segment.seconds},
                             {"thread", thread_of(window, segment.thread)},
                             {"cause", segment.cause},
                             {"what", segment.what}};
             })}};
}

Json memory_json(const WindowReport& report) {
    const Window& window = report.window;
    const ArenaUse& arena = report.memory.arena;
    const auto tensor = [&](std::uint32_t index) {
        const ArenaTensor& at_peak = window.tensors[index];
        return Json{{"name", at_peak.name},
                    {"bytes", at_peak.bytes},
                    {"offset", at_peak.offset},
                    {"first", operation_of(window, at_peak.first_operation)},
                    {"last", operation_of(window, at_peak.last_operation)}};
    };
    Json points = Json::object();
    for (const MemoryPoint& point : report.memory.points) {
        points[point.name] = {{"begin", point.begin}, {"end", point.end}, {"peak", point.peak}};
    }
    Json json{{"arena",
               {{"bytes", arena.size},
                {"bytes_without_reuse", arena.all},
                {"peak_bytes", arena.peak},
                {"peak_at", operation_of(window, arena.peak_operation)},
                {"live_bytes", arena.live},
                {"at_peak", list_of(arena.at_peak, tensor)}}},
              {"points", points}};
    if (report.predicted) {
        json["predicted_bytes"] = report.predicted->bytes;
    }
    return json;
}

Json growth_json(const Growth& growth) {
    return {{"bytes_per_hour", growth.bytes_per_hour()},
            {"bytes_per_1000_steps", 1e3 * growth.bytes_per_step},
            {"seconds", growth.seconds}};
}

Json between_json(const TimeBetween& between) {
    Json stages = Json::object();
    for (const StageTime& stage : between.stages) {
        stages[stage.name] = stage.seconds;
    }
    return {{"seconds", between.seconds}, {"stages", stages}};
}

Json other_json(const OtherRank& other) {
    if (!other.problem.empty()) {
        return {{"rank", other.rank}, {"problem", other.problem}};
    }
    return {{"rank", other.rank},
            {"step_seconds", other.seconds_of_step},
            {"longest_wait", {{"stage", other.wait.name}, {"seconds", other.wait.seconds}}}};
}

}  // namespace

std::string report_json(const WindowReport& report) {
    const Window& window = report.window;
    Json json = {
        {"first_step", window.first_step},
        {"last_step", window.last_step},
        {"rank", window.rank},
        {"ranks", window.ranks},
        {"device", window.device},
        {"runs_eagerly", window.runs_eagerly},
        {"eager_step", window.eager_step},
        {"window_seconds", window.seconds},
        {"steps",
         list_of(report.times.steps,
                 [](const StepTime& step) {
                     return Json{{"step", step.step}, {"begin", step.begin}, {"seconds", step.end - step.begin}};
                 })},
        {"step_seconds", report.times.seconds_of_step()},
        {"recording_seconds", window.cost ? Json(window.cost->seconds) : Json()},
        {"recording_noise_seconds", window.cost ? Json(window.cost->noise) : Json()},
        {"dropped_spans", window.dropped_spans},
        {"stages", table_json(report.stages, TableBy::stage)},
        {"beside", list_of(report.times.beside,
                           [](const WorkBeside& work) {
                               return Json{{"name", work.name}, {"threads", work.threads}, {"seconds", work.seconds}};
                           })},
        {"between_steps", between_json(report.times.between)},
        {"table", table_json(report.table, report.by)},
        {"idle", list_of(report.idle, [&](const IdleThread& idle) { return idle_json(window, idle); })},
        {"critical_path", path_json(report)},
        {"memory", memory_json(report)},
        {"other_ranks", list_of(report.others, other_json)}};
    if (report.growth) {
        json["growth"] = growth_json(*report.growth);
    }
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string report_json(const RunMemory& memory) {
    const std::vector<double>& bytes = memory.series.bytes;
    Json json{{"memory",
               {{"points",
                 {{"resident_bytes",
                   {{"begin", bytes.front()}, {"end", bytes.back()}, {"peak", *std::ranges::max_element(bytes)}}}}}}}};
    if (memory.predicted) {
        json["memory"]["predicted_bytes"] = memory.predicted->bytes;
    }
    if (memory.growth) {
        json["growth"] = growth_json(*memory.growth);
    }
    return json.dump(2) + "\n";
}

}  // namespace sluice::profile
