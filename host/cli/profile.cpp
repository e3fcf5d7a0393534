// `profile` shows a recorded window of a run, and asks a live run for one.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/log.hpp"
#include "base/program_name.hpp"
#include "base/signals/stop_handler.hpp"
#include "base/text/nearest.hpp"
#include "cli/profile_request.hpp"
#include "cli/terminal/command.hpp"
#include "cli/terminal/options.hpp"
#include "profile/report.hpp"
#include "profile/run_memory.hpp"
#include "profile/window_files.hpp"
#include "profile/window_json.hpp"
#include "run/train/profile_windows.hpp"

namespace sluice::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kRows = 10;
constexpr std::int64_t kMostRows = 1'000'000;

struct ViewOptions {
    profile::TableBy by = profile::TableBy::operation;
    std::size_t rows = kRows;
    bool json = false;
};

void check_run_folder(const fs::path& run) {
    std::error_code problem;
    const fs::file_status status = fs::status(run, problem);
    if (!fs::status_known(status)) {
        throw Error(Exit::config, fmt::format("{}: cannot be read: {}", run.string(), problem.message()));
    }
    if (!fs::exists(status)) {
        throw Error(Exit::config,
                    fmt::format("{}: there is no such run folder{}", run.string(), removed_folder_text(run)));
    }
    if (!fs::is_directory(status)) {
        throw Error(Exit::config,
                    fmt::format("{}: is no run folder, but a file; --window shows the file of a window", run.string()));
    }
}

profile::Window read_window(const fs::path& file) { return profile::parse_window(read_file(file), file.string()); }

struct ShownWindow {
    fs::path file;
    profile::Window window;
};

// Returns the newest window that is not damaged; nothing if the run has no window. Throws Error(Exit::config) if all
// are damaged.
std::optional<ShownWindow> find_newest(const fs::path& run) {
    std::vector<profile::WindowFile> files = profile::find_windows(run);
    std::vector<std::string> damaged;
    while (const profile::WindowFile* const newest = profile::newest_window(files)) {
        const fs::path file = newest->path;
        try {
            ShownWindow shown{file, read_window(file)};
            for (const std::string& problem : damaged) {
                log::warn(fmt::format("{}; {} is shown instead", problem, file.filename().string()));
            }
            return shown;
        } catch (const Error& error) {
            damaged.emplace_back(error.what());
        }
        std::erase_if(files, [&](const profile::WindowFile& other) { return other.path == file; });
    }
    if (!damaged.empty()) {
        throw Error(Exit::config,
                    fmt::format("{}; the run has no other window, so record some steps again", damaged.front()));
    }
    return std::nullopt;
}

// Returns the names of the last windows of rank 0, latest first; empty if there is none.
std::string window_names(const fs::path& run) {
    constexpr std::size_t kNames = 8;
    std::vector<std::string> names;
    for (const profile::WindowFile& file : profile::find_windows(run)) {
        if (file.rank == 0) {
            names.insert(names.begin(), file.path.filename().string());
        }
    }
    const std::string more = names.size() > kNames ? fmt::format(" and {} more", names.size() - kNames) : "";
    names.resize(std::min(names.size(), kNames));
    return fmt::format("{}{}", fmt::join(names, ", "), more);
}

// Returns the other ranks in the same steps. A file that cannot be read is named in place of its figures.
std::vector<profile::OtherRank> read_other_ranks(const fs::path& file, const profile::Window& window) {
    std::vector<profile::OtherRank> others;
    const std::optional<profile::WindowFile> named = profile::parse_window_name(file.filename().string());
    const fs::path folder = (file.has_parent_path() ? file : fs::absolute(file)).parent_path();
    if (named && folder.filename() == "profile") {
        for (const profile::WindowFile& other :
             profile::other_ranks(profile::find_windows(folder.parent_path()), *named)) {
            try {
                others.push_back(profile::other_rank(read_window(other.path)));
            } catch (const Error& error) {
                others.push_back({.rank = other.rank, .wait = {}, .problem = error.what()});
            }
        }
    }
    if (others.size() + 1 < window.ranks) {
        log::warn(fmt::format("{}: {} of {} ranks have a file of these steps", file.string(), others.size() + 1,
                              window.ranks));
    }
    return others;
}

void show_window(const fs::path& run, ShownWindow shown, const ViewOptions& view) {
    profile::WindowReport report = profile::report_on(std::move(shown.window), view.by);
    report.others = read_other_ranks(shown.file, report.window);
    profile::RunMemory memory = profile::read_run_memory(run);
    report.growth = memory.growth;
    report.predicted = std::move(memory.predicted);
    std::cout << (view.json ? profile::report_json(report) : profile::report_text(report, view.rows));
}

// Shows the memory of a run without a window, then how to record one. Throws if the run sampled no memory.
void show_memory(const fs::path& run, bool json) {
    const std::string advice = fmt::format(
        "{}: no steps were recorded; while the run is alive, {} records some, and for a new run {}", run.string(),
        typed(fmt::format("profile {} --steps 5", run.string())), typed("train --profile 20-24"));
    const profile::RunMemory memory = profile::read_run_memory(run);
    if (memory.series.bytes.empty()) {
        throw Error(Exit::config, advice);
    }
    if (json) {
        std::cout << profile::report_json(memory);
        log::info(advice);
    } else {
        std::cout << profile::report_text(memory) << advice << "\n";
    }
}

// `given` is a path, or the name of a file in the run's folder of windows. An empty `run`: none was given.
ShownWindow read_given(const std::string& given, const fs::path& run) {
    std::error_code none;
    const fs::path in_run = run / "profile" / given;
    const bool is_path = fs::exists(given, none);
    const bool is_name = !run.empty() && !is_path && fs::exists(in_run, none);
    if (!run.empty() && !is_path && !is_name) {
        const std::string names = window_names(run);
        throw Error(Exit::config,
                    names.empty()
                        ? fmt::format("{}: there is no window '{}', nor any other", run.string(), given)
                        : fmt::format("{}: there is no window '{}'; there are {}", run.string(), given, names));
    }
    fs::path file = is_name ? in_run : fs::path(given);
    try {
        profile::Window window = read_window(file);
        return {std::move(file), std::move(window)};
    } catch (const Error& error) {
        throw Error(error.exit(), fmt::format("{}; choose another file with --window", error.what()));
    }
}

int record_and_show(const WindowRequest& request, const ViewOptions& view) {
    if (const std::optional<fs::path> file = record_window(request)) {
        show_window(request.run, {*file, read_window(*file)}, view);
        return 0;
    }
    return 128 + stop_signal();
}

ViewOptions view_of(const std::string& by, std::int64_t rows, bool json) {
    const std::optional<profile::TableBy> table = profile::table_named(by);
    if (!table) {
        throw Error(Exit::config, fmt::format("--by is '{}'{}", by, suggestion(by, profile::table_names())));
    }
    if (rows < 1 || rows > kMostRows) {
        throw Error(Exit::config, fmt::format("--rows is {}; it is from 1 to {}", rows, kMostRows));
    }
    return {*table, static_cast<std::size_t>(rows), json};
}

void check_request(const WindowRequest& request, bool has_timeout) {
    if (request.steps < 1 || request.steps > run::kMostRequestedSteps) {
        throw Error(Exit::config,
                    fmt::format("--steps is {}; it is from 1 to {}", request.steps, run::kMostRequestedSteps));
    }
    if (has_timeout && !(std::isfinite(request.timeout) && request.timeout > 0.0)) {
        throw Error(Exit::config,
                    fmt::format("--timeout is {}; it is a number of seconds, more than 0", request.timeout));
    }
}

}  // namespace

int profile(const Arguments& arguments) {
    namespace po = boost::program_options;
    std::vector<std::string> words;
    std::string by = "operation";
    std::string window;
    std::int64_t rows = kRows;
    bool json = false;
    bool quiet = false;
    WindowRequest request;
    po::options_description options("options");
    options.add_options()("words", po::value(&words)->value_name("show RUN|RUN"),
                          "the folder of a run whose recorded steps are shown, or of a live run that records --steps");
    options.add_options()("steps", po::value(&request.steps)->value_name("N"),
                          "ask the live run to record its next N steps, and show them");
    options.add_options()(
        "timeout", po::value(&request.timeout)->value_name("S"),
        "exit if the steps are not recorded after S seconds; a request that still waits is withdrawn (no limit)");
    options.add_options()("by", po::value(&by)->value_name("WHAT"),
                          "rows of launches: operation (default), layer, type, direction or stage");
    options.add_options()("rows", po::value(&rows)->value_name("N"), "print at most N rows of each table (10)");
    options.add_options()("window", po::value(&window)->value_name("FILE"),
                          "show the window in this file (default: the newest of the run)");
    options.add_options()("json", po::bool_switch(&json), "print all figures as JSON");
    options.add_options()("quiet,q", po::bool_switch(&quiet), "print warnings and errors only, besides the tables");
    options.add_options()("help,h", "show this help");
    po::variables_map values;
    if (!parse(arguments, "profile", options, values, "words", 2)) {
        return 0;
    }
    const bool shows = !words.empty() && words.front() == "show";
    const bool records = values.count("steps") > 0;
    const ViewOptions view = view_of(by, rows, json);
    if (shows && (records || values.count("timeout") > 0)) {
        throw Error(Exit::config, "--steps and --timeout ask a live run, and are not for show: " +
                                      typed("profile runs/deblur-001 --steps 5"));
    }
    if (!shows && records && words.size() == 1 && window.empty()) {
        request.run = words.front();
        check_request(request, values.count("timeout") > 0);
        check_run_folder(request.run);
        return record_and_show(request, view);
    }
    if (!shows && !records && words.size() == 1) {
        check_run_folder(words.front());
        throw Error(Exit::config,
                    fmt::format("{}: {} shows its recorded steps, and {} records the next steps of a live run",
                                words.front(), typed("profile show " + words.front()),
                                typed(fmt::format("profile {} --steps 5", words.front()))));
    }
    if (!shows || (words.size() != 2 && window.empty())) {
        throw Error(Exit::config,
                    fmt::format("give a run folder: {} shows recorded steps, {} records some of a live run",
                                typed("profile show runs/deblur-001"), typed("profile runs/deblur-001 --steps 5")));
    }
    const fs::path run = words.size() == 2 ? words.back() : "";
    if (!run.empty()) {
        check_run_folder(run);
    }
    std::optional<ShownWindow> shown = window.empty() ? find_newest(run) : read_given(window, run);
    if (shown) {
        show_window(run, *std::move(shown), view);
    } else {
        show_memory(run, json);
    }
    return 0;
}

}  // namespace sluice::cli
