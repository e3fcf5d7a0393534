#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <iostream>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/log.hpp"
#include "base/program_name.hpp"
#include "base/signals/stop_handler.hpp"
#include "base/temporary_folder.hpp"
#include "base/text/shell_quoted.hpp"
#include "cli/checkpoint_pipeline.hpp"
#include "cli/terminal/command.hpp"
#include "cli/terminal/open_registry.hpp"
#include "cli/terminal/options.hpp"
#include "cli/terminal/pipeline_file.hpp"
#include "cli/terminal/progress_line.hpp"
#include "config/derived_pipeline.hpp"
#include "config/load.hpp"
#include "diagnose/precision/precision_trial.hpp"
#include "diagnose/verdict/diagnosis.hpp"
#include "history/run_lock.hpp"
#include "history/run_record.hpp"
#include "history/run_summary.hpp"
#include "report/run_report.hpp"
#include "run/checkpoint/checkpoint_folder.hpp"

namespace sluice::cli {
namespace {

constexpr double kBudget = 180.0;  // seconds
constexpr double kShortestBudget = 20.0;

constexpr std::int64_t kFewestSteps = 4;  // two untimed steps, a timed one, and the last

std::size_t steps_of(std::int64_t wanted) {
    if (wanted < kFewestSteps) {
        throw Error(Exit::config, fmt::format("--steps is {}; at least {} are needed", wanted, kFewestSteps));
    }
    return static_cast<std::size_t>(wanted);
}

// An empty `policy` means the pipeline's own.
config::PipelineSpec load(const std::filesystem::path& file, const std::vector<std::string>& sets,
                          const std::string& policy) {
    return policy.empty()
               ? config::load_pipeline(file, sets)
               : config::load_pipeline(file, sets, {"--policy " + policy, "precision.use=" + to_toml({policy, {}})});
}

struct DiagnoseOptions {
    std::vector<std::string> words;
    std::string policy;
    std::int64_t steps = 20;
    std::string budget;
    std::string runs = "runs";
    std::string write;
    bool allows_other_results = false;
    bool proves = false;
    bool beside = false;
    bool json = false;
};

int diagnose_precision(const DiagnoseOptions& wanted, const Common& common) {
    const config::PipelineSpec spec = load(find_pipeline(wanted.words.back()), common.sets, wanted.policy);
    const registry::Registry registry = open_registry(common);
    const auto trial = [&] {
        const ProgressLine line;
        return diagnose::try_precision(
            spec, registry,
            {.steps = steps_of(wanted.steps), .progress = [&](const std::string& text) { line.show(text); }});
    }();
    std::cout << (wanted.json ? diagnose::to_json(trial) : diagnose::to_text(trial));
    return 0;
}

// "90 s", "3m" or "3 min".
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

// The folder of runs, or the one in which it would be made. Trainings of a diagnosis write to the same disk as runs do.
std::filesystem::path storage_of(const std::filesystem::path& runs) {
    std::filesystem::path folder = std::filesystem::absolute(runs);
    std::error_code none;
    while (!std::filesystem::is_directory(folder, none) && folder.has_relative_path()) {
        folder = folder.parent_path();
    }
    return folder;
}

// The words with which this program starts the trainings.
std::vector<std::string> program_words(const Common& common) {
    std::vector<std::string> words{std::filesystem::read_symlink("/proc/self/exe").string()};
    for (const std::string& plugin : common.plugins) {
        words.insert(words.end(), {"--plugin", plugin});
    }
    return words;
}

// What is diagnosed: a pipeline file, or a run from its newest checkpoint.
struct Diagnosed {
    config::PipelineSpec spec;
    std::string file;             // of the pipeline, as the user named it
    std::filesystem::path run{};  // empty: a pipeline
    std::filesystem::path checkpoint{};
};

Diagnosed open_diagnosed(const DiagnoseOptions& wanted, const Common& common) {
    const std::string& name = wanted.words.back();
    std::error_code none;
    if (!std::filesystem::is_directory(name, none)) {
        if (wanted.beside) {
            throw Error(Exit::config, "--beside is for the folder of a run that is alive");
        }
        return {.spec = config::load_pipeline(find_pipeline(name), common.sets), .file = name};
    }
    history::check_run(name);
    if (history::is_alive(name) && !wanted.beside) {
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
            .checkpoint = checkpoint};
}

// The page of the run shows the diagnosis from this file.
void write_chapter(const std::filesystem::path& run, const diagnose::Diagnosis& diagnosis) {
    write_file_atomically(run / "diagnosis.json", diagnose::to_json(diagnosis));
    history::RunRecord record(run);
    record.update();
    report::write_report(record);
    log::info(fmt::format("{} has the diagnosis as a chapter", (run / "report.html").string()));
}

// The text with which a file at `target` includes the pipeline that the user named.
std::string included_name(const std::string& name, const std::filesystem::path& target) {
    std::error_code none;
    if (!std::filesystem::exists(name, none)) {
        return name;  // an installed pipeline
    }
    return std::filesystem::relative(name, std::filesystem::absolute(target).parent_path()).string();
}

void check_target(const std::filesystem::path& target) {
    std::error_code none;
    if (std::filesystem::exists(target, none)) {
        throw Error(Exit::config, fmt::format("--write {}: the file exists; name a new one", target.string()));
    }
}

void write_fixed(const DiagnoseOptions& wanted, const Common& common, const Diagnosed& diagnosed,
                 const diagnose::Remedy& remedy) {
    std::vector<config::ValueChange> changes;
    for (const std::string& set : common.sets) {
        changes.push_back({.set = set, .comment = "given with --set"});
    }
    for (const config::ValueChange& change : remedy.changes()) {
        changes.push_back(change);
    }
    check_target(wanted.write);
    write_file_atomically(wanted.write, config::derived_pipeline(diagnosed.spec.resolved,
                                                                 included_name(diagnosed.file, wanted.write), changes));
    static_cast<void>(config::load_pipeline(wanted.write, {}));
    log::info(remedy.is_empty() ? fmt::format("{}: the pipeline without a change, since none is worth it", wanted.write)
                                : fmt::format("{}: the pipeline with the changes; {} shows it", wanted.write,
                                              typed("plan " + wanted.write)));
}

int diagnose_pipeline(const DiagnoseOptions& wanted, const Common& common) {
    const double budget = wanted.budget.empty() ? kBudget : budget_of(wanted.budget);
    if (!wanted.write.empty()) {
        check_target(wanted.write);
    }
    const double began = now();
    const Diagnosed diagnosed = open_diagnosed(wanted, common);
    const config::PipelineSpec& spec = diagnosed.spec;
    const registry::Registry registry = open_registry(common);
    const TemporaryFolder folder(storage_of(wanted.runs), ".diagnose-");
    catch_stop_signals("stopping after this measurement");
    const ProgressLine line;
    diagnose::Laboratory laboratory(
        spec,
        {.program = program_words(common),
         .folder = folder.path(),
         .checkpoint = diagnosed.checkpoint,
         .progress = [&](const std::string& text) { line.show(fmt::format("{:.0f} s: {}", now() - began, text)); },
         .stops = [] { return stop_signal() != 0; }});
    const diagnose::Diagnosis diagnosis = diagnose::diagnose_pipeline(
        spec, registry, laboratory,
        {.end = began + budget, .allows_other_results = wanted.allows_other_results, .proves = wanted.proves});
    std::cout << (wanted.json ? diagnose::to_json(diagnosis) : diagnose::to_text(diagnosis));
    if (!wanted.write.empty()) {
        write_fixed(wanted, common, diagnosed, diagnosis.remedy);
    }
    if (!diagnosed.run.empty() && !wanted.beside) {
        write_chapter(diagnosed.run, diagnosis);
    }
    return stop_signal() == 0 ? 0 : 128 + stop_signal();
}

}  // namespace

int diagnose(const Arguments& arguments) {
    namespace po = boost::program_options;
    Common common;
    DiagnoseOptions wanted;
    po::options_description options("options");
    options.add_options()("words", po::value(&wanted.words)->value_name("[precision] FILE|RUN"),
                          "the pipeline file, the name of an installed one, or the folder of a run; precision compares "
                          "number formats only");
    options.add_options()("budget", po::value(&wanted.budget)->value_name("TIME"),
                          "how long all experiments may take, such as 90s (3m)");
    options.add_options()("prove", po::bool_switch(&wanted.proves),
                          "then train the old and the new pipeline by turns, and print both gains");
    options.add_options()("write", po::value(&wanted.write)->value_name("FILE"),
                          "write the pipeline with the free changes to this new file");
    options.add_options()("allow-other-results", po::bool_switch(&wanted.allows_other_results),
                          "--write and --prove: also changes with which the training learns something else");
    options.add_options()("beside", po::bool_switch(&wanted.beside), "diagnose a run that is alive, beside it");
    options.add_options()("runs", po::value(&wanted.runs)->value_name("FOLDER"),
                          "the folder of runs: trainings of the diagnosis write there, and remove it all (runs)");
    options.add_options()("policy", po::value(&wanted.policy)->value_name("NAME"),
                          "precision: this policy instead of the pipeline's own");
    options.add_options()("steps", po::value(&wanted.steps)->value_name("N"),
                          "precision: training steps of each run (20)");
    options.add_options()("json", po::bool_switch(&wanted.json), "print all figures as JSON");
    add_common(options, common);
    po::variables_map values;
    if (!parse(arguments, "diagnose", options, values, "words", 2)) {
        return 0;
    }
    const bool is_precision = wanted.words.size() == 2 && wanted.words.front() == "precision";
    if (!is_precision && wanted.words.size() != 1) {
        throw Error(Exit::config, fmt::format("give one pipeline: {}; or {}", typed("diagnose deblur.toml"),
                                              typed("diagnose precision deblur.toml")));
    }
    return is_precision ? diagnose_precision(wanted, common) : diagnose_pipeline(wanted, common);
}

}  // namespace sluice::cli
