#include "run/train/recorded_window.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/peaks/machine_peaks.hpp"
#include "base/program_name.hpp"
#include "base/text/counted.hpp"
#include "plan/passes/arena_list.hpp"
#include "profile/operation_table.hpp"
#include "profile/stage_clock.hpp"
#include "profile/step_times.hpp"
#include "profile/window_json.hpp"

namespace sluice::run {
namespace {

namespace fs = std::filesystem;

// Numbers texts in the order in which they come.
class Names {
public:
    explicit Names(std::vector<std::string>& names) : names_(names) {}
    std::uint32_t number_of(std::string_view name) {
        const auto [entry, is_new] = numbers_.try_emplace(std::string(name), static_cast<std::uint32_t>(names_.size()));
        if (is_new) {
            names_.push_back(entry->first);
        }
        return entry->second;
    }

private:
    std::vector<std::string>& names_;
    std::map<std::string, std::uint32_t, std::less<>> numbers_;
};

// The numbers of operations in a window. Replicas with the same plan share them.
class OperationNumbers {
public:
    explicit OperationNumbers(std::vector<profile::Operation>& operations) : operations_(operations) {}
    void add(const profile::Operations& list) {
        for (const profile::Operation& operation : *list) {
            const auto same = std::ranges::find_if(operations_, [&](const profile::Operation& other) {
                return other.kind == operation.kind && other.path == operation.path && other.type == operation.type &&
                       other.shape == operation.shape && other.kernel == operation.kernel &&
                       other.share == operation.share;
            });
            numbers_[&operation] = static_cast<std::uint32_t>(same - operations_.begin());
            if (same == operations_.end()) {
                operations_.push_back(operation);
            }
        }
    }
    [[nodiscard]] std::uint32_t number_of(const profile::Operation* operation) const {
        const auto found = numbers_.find(operation);
        return found == numbers_.end() ? profile::kNone : found->second;
    }

private:
    std::vector<profile::Operation>& operations_;
    std::unordered_map<const profile::Operation*, std::uint32_t> numbers_;
};

// The type in which most arithmetic is done.
sluice_dtype main_type(const std::vector<profile::Operation>& operations) {
    std::map<std::pair<int, int>, std::pair<double, sluice_dtype>> sums;
    for (const profile::Operation& operation : operations) {
        auto& [flop, dtype] = sums[{operation.dtype.code, operation.dtype.bits}];
        flop += operation.done_flop;
        dtype = operation.dtype;
    }
    const auto most = std::ranges::max_element(sums, {}, [](const auto& sum) { return sum.second.first; });
    return most == sums.end() ? kFloat32 : most->second.second;
}

double most_bytes(const std::vector<profile::Operation>& operations) {
    const auto most = std::ranges::max_element(operations, {}, &profile::Operation::bytes);
    return most == operations.end() ? 0.0 : most->bytes;
}

std::string dropped_text(const profile::Window& window) {
    return window.dropped_spans == 0
               ? ""
               : fmt::format(", {} dropped for lack of room", counted(window.dropped_spans, "span"));
}

std::string peaks_text(const profile::Window& window) {
    const profile::OperationTable table =
        profile::operation_table(window, profile::step_times(window), profile::TableBy::operation);
    std::string text;
    for (const std::string& warning : profile::peak_warnings(table)) {
        text += "; warning: " + warning;
    }
    return text;
}

std::string graphs_text(const profile::Window& window) {
    if (window.eager_step > 0) {
        return fmt::format(
            "; step {} ran without captured graphs, to show the layers of kernels, so its time differs from those of "
            "other steps",
            window.eager_step);
    }
    return window.runs_eagerly ? "; they ran without captured graphs, so their times differ from those of other steps"
                               : "";
}

// A span that began before the window, or ended after it, is cut.
void add_spans(const ProfileWindows::Recorded& recorded, const OperationNumbers& numbers, Names& names,
               profile::Window& window) {
    for (const profile::RecordedThread& thread : recorded.spans.threads) {
        const auto number = static_cast<std::uint32_t>(window.threads.size());
        window.threads.push_back({thread.name.empty() ? fmt::format("thread {}", thread.id) : thread.name, thread.id,
                                  thread.kind, thread.device});
        window.dropped_spans += thread.dropped;
        for (const profile::Span& span : thread.spans) {
            const double begin = std::max(span.begin, recorded.began);
            const double end = std::min(span.end, recorded.ended);
            if (end < begin) {
                continue;
            }
            const std::string_view name = span.name.view();
            window.spans.push_back({.begin = begin - recorded.began,
                                    .seconds = end - begin,
                                    .kind = span.kind,
                                    .thread = number,
                                    .name = name.empty() ? profile::kNone : names.number_of(name),
                                    .operation = numbers.number_of(span.operation),
                                    .step = span.step,
                                    .sample = span.sample,
                                    .bytes = span.bytes,
                                    .correlation = span.correlation});
        }
    }
    std::ranges::stable_sort(window.spans, [](const profile::WindowSpan& a, const profile::WindowSpan& b) {
        return a.begin < b.begin || (a.begin == b.begin && a.seconds > b.seconds);
    });
}

}  // namespace

WindowPlace window_place(const TrainingReplicas& replicas) {
    const profile::StageScope stage(profile::Stage::prepare);  // the first window measures the peaks
    const NetworkRunner& runner = replicas.group().first().runner();
    const Program& program = runner.network().first();
    WindowPlace place{.rank = replicas.processes().number(),
                      .ranks = replicas.processes().count(),
                      .device = static_cast<const char*>(runner.device()->info().name),
                      .operations = program.executor->operations(),
                      .arena = plan::list_arena(program.plan)};
    if (runner.device_threads() != nullptr) {
        place.peak_flop = machine_peak_rate(*runner.device_threads(), main_type(*place.operations));
        place.bandwidth = machine_bandwidth(*runner.device_threads());
    } else {
        DevicePeaks peaks = replicas.device_peaks(main_type(*place.operations));
        place.peak_flop = peaks.flop;
        place.bandwidth = std::move(peaks.bandwidth);
    }
    place.peak_bandwidth = bandwidth_for(place.bandwidth, most_bytes(*place.operations));
    return place;
}

profile::Window make_window(const ProfileWindows::Recorded& recorded, const WindowPlace& place) {
    profile::Window window;
    window.first_step = recorded.first_step;
    window.last_step = recorded.last_step;
    window.seconds = recorded.ended - recorded.began;
    window.began_unix_ns = recorded.began_unix_ns;
    window.rank = place.rank;
    window.ranks = place.ranks;
    window.device = place.device;
    window.runs_eagerly = recorded.spans.runs_eagerly;
    window.eager_step = recorded.spans.eager_step;
    window.peak_flop = place.peak_flop;
    window.peak_bandwidth = place.peak_bandwidth;
    window.bandwidth = place.bandwidth;
    Names names(window.names);
    OperationNumbers numbers(window.operations);
    if (place.operations != nullptr) {  // first, so that the arena's launches are numbers of operations
        window.operations = *place.operations;
        window.tensors = place.arena;
    }
    for (const profile::Operations& list : recorded.spans.operations) {
        numbers.add(list);
    }
    add_spans(recorded, numbers, names, window);
    for (const profile::DeviceStages& stages : recorded.spans.on_device) {
        window.on_device.push_back({stages.begin - recorded.began, stages.end - recorded.began, stages.seconds});
    }
    for (const ProfileWindows::MemoryPoint& point : recorded.memory) {
        for (const auto& [name, bytes] :
             {std::pair("resident_bytes", point.resident), std::pair("batch_bytes", point.batches),
              std::pair("cache_bytes", point.cache), std::pair("device_bytes", point.device)}) {
            if (bytes > 0) {
                window.points.push_back(
                    {point.time - recorded.began, static_cast<double>(bytes), names.number_of(name)});
            }
        }
    }
    return window;
}

fs::path window_file(const fs::path& run, const profile::Window& window) {
    const std::string rank = window.rank == 0 ? "" : fmt::format("-rank-{}", window.rank);
    return run / "profile" / fmt::format("steps-{:06}-{:06}{}.json", window.first_step, window.last_step, rank);
}

std::string describe_window(const profile::Window& window, const fs::path& run) {
    const std::string steps = window.first_step == window.last_step
                                  ? fmt::format("step {}", window.first_step)
                                  : fmt::format("steps {}-{}", window.first_step, window.last_step);
    return fmt::format("recorded {}: {:.3g} ms a step{}{}{}; see {}", steps,
                       1e3 * profile::step_times(window).seconds_of_step(), dropped_text(window), graphs_text(window),
                       peaks_text(window), typed(fmt::format("profile show {}", run.string())));
}

void write_window(const fs::path& file, const profile::Window& window) {
    std::error_code problem;
    fs::create_directories(file.parent_path(), problem);
    if (problem) {
        throw Error(Exit::save, fmt::format("{}: cannot be made: {}", file.parent_path().string(), problem.message()));
    }
    write_file_atomically(file, profile::to_json(window));
}

}  // namespace sluice::run
