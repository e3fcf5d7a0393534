#include "cli/diagnosed.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/log.hpp"
#include "base/program_name.hpp"
#include "base/signals/stop_handler.hpp"
#include "base/text/shell_quoted.hpp"
#include "cli/checkpoint_pipeline.hpp"
#include "cli/terminal/pipeline_file.hpp"
#include "config/load.hpp"
#include "history/run_lock.hpp"
#include "history/run_summary.hpp"
#include "run/checkpoint/checkpoint_folder.hpp"

namespace sluice::cli {
namespace {

constexpr double kShortestBudget = 20.0;  // seconds

// The words with which this program starts the trainings.
std::vector<std::string> program_words(const Common& common) {
    std::vector<std::string> words{std::filesystem::read_symlink("/proc/self/exe").string()};
    for (const std::string& plugin : common.plugins) {
        words.insert(words.end(), {"--plugin", plugin});
    }
    return words;
}

// The number of processes that trained a run; 1 if it is not known.
int processes_of(const std::filesystem::path& run) {
    std::error_code none;
    const std::filesystem::path file = run / "environment.json";
    const std::string text = std::filesystem::is_regular_file(file, none) ? read_file(file) : "{}";
    const auto environment = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
    const auto found = environment.is_object() ? environment.find("processes") : environment.end();
    return found != environment.end() && found->is_number_integer() ? std::max(found->get<int>(), 1) : 1;
}

// The text with which a file at `target` includes the pipeline that the user named.
std::string included_name(const std::string& name, const std::filesystem::path& target) {
    std::error_code none;
    if (!std::filesystem::exists(name, none)) {
        return name;  // an installed pipeline
    }
    return std::filesystem::relative(name, std::filesystem::absolute(target).parent_path()).string();
}

}  // namespace

Diagnosed open_diagnosed(const std::string& name, bool beside, int processes, const Common& common) {
    std::error_code none;
    if (processes < 0) {
        throw Error(Exit::config, fmt::format("--processes is {}; it is at least 1", processes));
    }
    if (!std::filesystem::is_directory(name, none)) {
        if (beside) {
            throw Error(Exit::config, "--beside is for the folder of a run that is alive");
        }
        return {.spec = config::load_pipeline(find_pipeline(name), common.sets),
                .file = name,
                .processes = std::max(processes, 1)};
    }
    history::check_run(name);
    if (history::is_alive(name) && !beside) {
        throw Error(Exit::config,
                    fmt::format("{}: the run is alive, and would slow down the diagnosis as that would slow "
                                "down the run; wait until it ends, or use --beside",
                                name));
    }
    const std::filesystem::path checkpoint = run::find_last(std::filesystem::path(name) / "checkpoints");
    const std::filesystem::path file = std::filesystem::path(name) / "pipeline.toml";
    if (!std::filesystem::exists(checkpoint, none)) {
        throw Error(Exit::config, fmt::format("{}: the run has no checkpoint yet; diagnose its pipeline: {}", name,
                                              typed("diagnose " + shell_quoted(file.string()))));
    }
    return {.spec = pipeline_of(run::inspect_checkpoint(checkpoint), common.sets, ""),
            .file = (std::filesystem::path(name) / "resolved.toml").string(),
            .run = name,
            .checkpoint = checkpoint,
            .processes = processes > 0 ? processes : processes_of(name)};
}

double budget_of(const std::string& text) {
    double value = 0.0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    std::string unit(end, text.data() + text.size());
    std::erase(unit, ' ');
    const double seconds = unit == "m" || unit == "min" ? 60.0 * value : value;
    const bool is_known = unit.empty() || unit == "s" || unit == "m" || unit == "min";
    if (failed != std::errc() || !is_known || !std::isfinite(seconds) || seconds < kShortestBudget) {
        throw Error(Exit::config, fmt::format("--budget is '{}'; it is a time of at least {:.0f} s, such as 90s or 3m",
                                              text, kShortestBudget));
    }
    return seconds;
}

diagnose::LaboratoryRequest laboratory_request(const Diagnosed& diagnosed, const Common& common,
                                               const std::filesystem::path& folder,
                                               std::function<void(const std::string&)> progress) {
    return {.program = program_words(common),
            .folder = folder,
            .checkpoint = diagnosed.checkpoint,
            .processes = diagnosed.processes,
            .progress = std::move(progress),
            .stops = [] { return stop_signal() != 0; }};
}

void expect_new_file(const std::filesystem::path& target) {
    std::error_code none;
    if (std::filesystem::exists(target, none)) {
        throw Error(Exit::config, fmt::format("--write {}: the file exists; name a new one", target.string()));
    }
    const std::filesystem::path folder = std::filesystem::absolute(target).parent_path();
    if (::access(folder.c_str(), W_OK) != 0) {
        throw Error(Exit::config, fmt::format("--write {}: the folder {} cannot be written: {}", target.string(),
                                              folder.string(), std::generic_category().message(errno)));
    }
}

void write_changed(const std::filesystem::path& target, const Diagnosed& diagnosed, const Common& common,
                   std::span<const config::ValueChange> changes) {
    std::vector<config::ValueChange> all;
    for (const std::string& set : common.sets) {
        all.push_back({.set = set, .comment = "given with --set"});
    }
    all.insert(all.end(), changes.begin(), changes.end());
    expect_new_file(target);
    write_file_atomically(
        target, config::derived_pipeline(diagnosed.spec.resolved, included_name(diagnosed.file, target), all));
    try {
        static_cast<void>(config::load_pipeline(target, {}));
    } catch (const Error&) {
        std::error_code none;
        std::filesystem::remove(target, none);
        throw;
    }
    log::info(changes.empty()
                  ? fmt::format("{}: the pipeline without a change, since none is worth it", target.string())
                  : fmt::format("{}: the pipeline with the changes; {} shows it", target.string(),
                                typed("plan " + shell_quoted(target.string()))));
}

}  // namespace sluice::cli
