// `profile` shows a recorded window of a run, and asks a live run for one.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/log.hpp"
#include "base/nearest.hpp"
#include "base/program_name.hpp"
#include "base/signals/stop_handler.hpp"
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

// Returns an empty path if the run has no window.
fs::path find_newest(const fs::path& run) {
    const std::vector<profile::WindowFile> files = profile::find_windows(run);
    const profile::WindowFile* const newest = profile::newest_window(files);
    return newest == nullptr ? fs::path() : newest->path;
}

profile::Window read_window(const fs::path& file) { return profile::parse_window(read_file(file), file.string()); }

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

void show_window(const fs::path& run, const fs::path& file, const ViewOptions& view) {
    profile::WindowReport report = profile::report_on(read_window(file), view.by);
    report.others = read_other_ranks(file, report.window);
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

fs::path find_window_file(const std::string& given, const fs::path& run) {
    std::error_code none;
    const fs::path in_run = run / "profile" / given;
    return !run.empty() && !fs::exists(given, none) && fs::exists(in_run, none) ? in_run : fs::path(given);
}

int record_and_show(const WindowRequest& request, const ViewOptions& view) {
    if (const std::optional<fs::path> file = record_window(request)) {
        show_window(request.run, *file, view);
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
    options.add_options()("timeout", po::value(&request.timeout)->value_name("S"),
                          "withdraw the request if the steps are not recorded after S seconds (no limit)");
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
    if (!shows || (words.size() != 2 && window.empty())) {
        throw Error(Exit::config,
                    fmt::format("give a run folder: {} shows recorded steps, {} records some of a live run",
                                typed("profile show runs/deblur-001"), typed("profile runs/deblur-001 --steps 5")));
    }
    const fs::path run = words.size() == 2 ? words.back() : "";
    if (!run.empty()) {
        check_run_folder(run);
    }
    const fs::path file = window.empty() ? find_newest(run) : find_window_file(window, run);
    if (file.empty()) {
        show_memory(run, json);
    } else {
        show_window(run, file, view);
    }
    return 0;
}

}  // namespace sluice::cli
