// The plane "/host:CPU".
#include "xprof/host_plane.hpp"

#include <string>
#include <utility>
#include <vector>

#include "profile/labels.hpp"
#include "sluice/sdk/guard.hpp"
#include "sluice/sdk/tensor.hpp"
#include "xprof/memory_line.hpp"
#include "xprof/steps.hpp"

namespace sluice::observers {
namespace {

// XProf looks numbers of input stages up among the plane's event names. Numbers beyond those collide with none.
constexpr std::int64_t kFirstStage = 1'000'000;

// XProf takes this name as an upload only if it is not that of an operation, "NAME:Type".
constexpr const char* kUploadName = "MemcpyHToD";

// XProf decides by the beginning of a name: "IteratorGetNext" is a wait for input.
std::string name_on_host(const Window& window, const sluice_span& span) {
    const std::string name(window.name(span.name));
    const std::string word(word_of(span.kind));
    const std::string path = name.empty() ? word : word + "/" + name;
    if (const sluice_profile_operation* const operation = window.operation_of(span)) {
        return operation_name(path_of(*operation), type_of(*operation));
    }
    switch (span.kind) {
        case SLUICE_SPAN_STAGE:
            if (window.is_wait_for_input(span)) {
                return operation_name("IteratorGetNext/" + name, "IteratorGetNext");
            }
            if (name == "upload" && window.is_on_loop(span)) {
                return kUploadName;
            }
            return name == "output" ? operation_name("callbacks/" + name, "Callback") : operation_name(name, "Stage");
        case SLUICE_SPAN_INPUT_WAIT:
            return operation_name("IteratorGetNext/wait", "IteratorGetNext");
        case SLUICE_SPAN_UPLOAD:
            return kUploadName;
        case SLUICE_SPAN_DOWNLOAD:
            return operation_name(path, "MemcpyDToH");
        case SLUICE_SPAN_EXCHANGE:
            return operation_name(path, "AllReduce");
        case SLUICE_SPAN_OBSERVER:
            return operation_name("callbacks/" + name, "Callback");
        case SLUICE_SPAN_STORAGE:
            return operation_name(path, "Save");
        case SLUICE_SPAN_EVALUATION:
            return operation_name(path, "Evaluation");
        case SLUICE_SPAN_READ:
            return operation_name(path, "Read");
        case SLUICE_SPAN_PREPROCESS:
            return operation_name(path, "Transform");
        default:
            return operation_name(path, "Launch");
    }
}

// Work beside the loop is not the step's: XProf would count a loader's decoding as computing. It shall count the time
// of no stage as "All others".
bool is_part_of_step(const Window& window, const sluice_span& span) {
    const std::uint32_t kind = window.thread_of(span).kind;
    const bool is_other = span.kind == SLUICE_SPAN_STAGE && window.name(span.name) == "other";
    return !is_other && (kind == SLUICE_THREAD_LOOP || kind == SLUICE_THREAD_COMPUTE);
}

void describe_input(const sluice_span& span, const std::string& name, std::vector<XStat>& stats) {
    const bool reads = span.kind == SLUICE_SPAN_READ;
    if (!reads && span.kind != SLUICE_SPAN_PREPROCESS) {
        return;
    }
    stats.push_back({"_ipl_stage_id", kFirstStage + static_cast<std::int64_t>(span.name)});
    stats.push_back({"_ipl_stage_name", name});
    stats.push_back({"_ipl_stage_cat", std::string(reads ? "read" : "preprocessing")});
}

std::vector<XStat> stats_on_host(const Window& window, const sluice_span& span) {
    std::vector<XStat> stats;
    if (is_part_of_step(window, span)) {
        stats = group_of(span.step);
    } else {
        describe_input(span, std::string(window.name(span.name)), stats);
    }
    if (const sluice_profile_operation* const operation = window.operation_of(span)) {
        stats.push_back({"shape", Repeated{std::string(sdk::view(operation->shape))}});
        stats.push_back({"kernel", Repeated{std::string(sdk::view(operation->kernel))}});
        stats.push_back({"flop", operation->done_flop});
    }
    if (name_on_host(window, span) == kUploadName) {
        stats.push_back({"tf_op", std::string("upload:MemcpyHToD")});
    }
    if (span.bytes > 0) {
        stats.push_back({"bytes", span.bytes});
    }
    if (span.sample >= 0) {
        stats.push_back({"sample", span.sample});
    }
    return stats;
}

}  // namespace

XPlane host_plane(const Window& window) {
    XPlane plane{"/host:CPU", {}, {}};
    std::vector<XLine> lines;
    for (const sluice_profile_thread& thread : window.threads()) {
        lines.push_back({thread.id, std::string(sdk::view(thread.name)), {}});
    }
    for (const sluice_span& span : window.spans()) {
        XLine& line = lines[span.thread];
        if (window.is_on_stream(span) || span.kind == SLUICE_SPAN_ALLOCATION || span.kind == SLUICE_SPAN_RELEASE) {
            continue;
        }
        if (span.kind == SLUICE_SPAN_STEP && window.is_on_loop(span)) {
            line.events.push_back(step_marker({span.step, span.begin_ns, end_of(span)}));
        } else if (span.kind != SLUICE_SPAN_STEP) {
            line.events.push_back(
                {name_on_host(window, span), span.begin_ns, span.duration_ns, stats_on_host(window, span)});
        }
    }
    lines.push_back(memory_line(window));
    for (XLine& line : lines) {
        if (!line.events.empty()) {
            plane.lines.push_back(std::move(line));
        }
    }
    return plane;
}

}  // namespace sluice::observers
