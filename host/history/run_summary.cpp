#include "history/run_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <limits>
#include <string_view>
#include <system_error>

#include "base/error.hpp"
#include "base/files.hpp"
#include "history/event_line.hpp"
#include "history/run_file.hpp"
#include "history/run_lock.hpp"
#include "history/step_split.hpp"

namespace sluice::history {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLastSteps = 20;     // steps at the end, which give the present speed
constexpr std::size_t kSampledSteps = 40;  // steps over the whole run, which show where its time goes
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30U;  // of the events of a run
constexpr const char* kEvents = "events.jsonl";
constexpr int kDeepest = 3;  // folders between the folder of runs and a run

// Lines without their ends. A last line without an end is not whole, and is left out.
std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string_view::npos; begin = end + 1) {
        lines.push_back(text.substr(begin, end - begin));
    }
    return lines;
}

bool is_step(std::string_view line) { return line.starts_with(R"({"kind":"step",)"); }

struct Skimmed {
    RunHistory history;  // with the last steps only
    RunHistory sampled;  // steps of the whole run
};

Skimmed skim(std::string_view text) {
    const std::vector<std::string_view> lines = lines_of(text);
    const auto steps = static_cast<std::size_t>(std::ranges::count_if(lines, is_step));
    const std::size_t stride = std::max<std::size_t>(1, steps / kSampledSteps);
    Skimmed skimmed;
    std::size_t number = 0;
    for (const std::string_view line : lines) {
        number += is_step(line) ? 1 : 0;
        const bool is_last = !is_step(line) || number + kLastSteps > steps;
        const bool is_sample = is_step(line) && number % stride == 0;
        if (!is_last && !is_sample) {
            continue;
        }
        if (const std::optional<EventLine> event = parse_event(std::string(line))) {
            if (is_last) {
                skimmed.history.add(*event);
            }
            if (is_sample) {
                skimmed.sampled.add(*event);
            }
        }
    }
    return skimmed;
}

void add_runs(const fs::path& folder, int depth, std::vector<fs::path>& found) {
    std::error_code problem;
    for (fs::directory_iterator at(folder, problem), end; !problem && at != end; at.increment(problem)) {
        std::error_code ignored;
        if (!at->is_directory(ignored) || at->is_symlink(ignored)) {
            continue;
        }
        if (is_run(at->path())) {
            found.push_back(at->path());
        } else if (depth < kDeepest) {
            add_runs(at->path(), depth + 1, found);
        }
    }
}

}  // namespace

double age_of(const fs::path& file) {
    std::error_code problem;
    const fs::file_time_type written = fs::last_write_time(file, problem);
    if (problem) {
        return std::numeric_limits<double>::infinity();
    }
    const std::chrono::duration<double> age = fs::file_time_type::clock::now() - written;
    return std::max(0.0, age.count());
}

bool is_run(const fs::path& folder) {
    std::error_code ignored;
    return fs::exists(folder / "resolved.toml", ignored) || fs::exists(folder / kEvents, ignored);
}

void check_run(const fs::path& folder) {
    if (!is_run(folder)) {
        throw Error(Exit::config, fmt::format("{}: this is not a run's folder: it has neither resolved.toml nor {}{}",
                                              folder.string(), kEvents, removed_folder_text(folder)));
    }
}

RunSummary summarize(const fs::path& run) {
    RunSummary summary{.folder = run};
    Skimmed skimmed;
    try {
        const std::optional<std::string> events = read_run_file(run, kEvents, kMostBytes);
        skimmed = skim(events.value_or(""));
        summary.age = age_of(events ? run / kEvents : run);
    } catch (const std::exception& error) {  // also if there is too little memory: other runs are still listed
        summary.problem = error.what();
    }
    const RunHistory& history = skimmed.history;
    summary.state = state_of(history, is_alive(run));
    summary.step = history.step();
    summary.last_step = history.last_step();
    summary.epoch = history.epoch();
    summary.epochs = history.epochs();
    summary.seconds = history.seconds();
    summary.samples_per_second = history.samples_per_second();
    summary.best = history.best();
    const Series* const loss = history.step_series("loss");
    summary.loss =
        loss == nullptr || loss->values.empty() ? std::numeric_limits<double>::quiet_NaN() : loss->values.back();
    summary.limit = limit_of(split_steps(skimmed.sampled), skimmed.sampled.awaited_stage());
    return summary;
}

std::vector<fs::path> find_runs(const fs::path& folder) {
    std::error_code problem;
    if (!fs::is_directory(folder, problem)) {
        throw Error(Exit::config,
                    fmt::format("{}: there is no such folder of runs{}", folder.string(), removed_folder_text(folder)));
    }
    std::vector<fs::path> found;
    if (is_run(folder)) {
        found.push_back(folder);
    } else if (fs::directory_iterator(folder, problem); problem) {
        throw Error(Exit::config, fmt::format("{}: cannot be read: {}", folder.string(), problem.message()));
    } else {
        add_runs(folder, 0, found);
    }
    return found;
}

std::string name_in(const fs::path& run, const fs::path& folder) {
    return run == folder ? run.string() : run.lexically_relative(folder).generic_string();
}

void sort_by_age(std::vector<RunSummary>& runs) {
    std::ranges::sort(runs, [](const RunSummary& a, const RunSummary& b) {
        return a.age != b.age ? a.age < b.age : a.name < b.name;
    });
}

std::vector<RunSummary> list_runs(const fs::path& folder) {
    std::vector<RunSummary> runs;
    for (const fs::path& run : find_runs(folder)) {
        runs.push_back(summarize(run));
        runs.back().name = name_in(run, folder);
    }
    sort_by_age(runs);
    return runs;
}

}  // namespace sluice::history
