#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/log.hpp"
#include "base/program_name.hpp"
#include "base/signals/stop_handler.hpp"
#include "base/text/duration.hpp"
#include "cli/diagnosed.hpp"
#include "cli/terminal/command.hpp"
#include "cli/terminal/open_registry.hpp"
#include "cli/terminal/options.hpp"
#include "cli/terminal/pipeline_file.hpp"
#include "cli/terminal/progress_line.hpp"
#include "config/load.hpp"
#include "diagnose/experiments/topic.hpp"
#include "diagnose/precision/precision_trial.hpp"
#include "diagnose/trial/scratch_folder.hpp"
#include "diagnose/verdict/diagnosis.hpp"
#include "history/run_record.hpp"
#include "report/run_report.hpp"

namespace sluice::cli {
namespace {

namespace po = boost::program_options;

constexpr double kBudget = 180.0;  // seconds

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
    int processes = 0;
    bool json = false;
};

// Throws for options of the other kind of diagnosis, which would have no effect.
void refuse_others(const po::variables_map& values, bool is_precision) {
    static constexpr std::array<const char*, 2> kOfPrecision{"policy", "steps"};
    static constexpr std::array<const char*, 7> kOfPipelines{"budget", "prove",     "write", "allow-other-results",
                                                             "beside", "processes", "runs"};
    const auto refuse = [&](const char* name, const char* command) {
        if (values.count(name) != 0 && !values[name].defaulted()) {
            throw Error(Exit::config, fmt::format("--{} is an option of {}", name, typed(command)));
        }
    };
    if (is_precision) {
        std::ranges::for_each(kOfPipelines, [&](const char* name) { refuse(name, "diagnose FILE"); });
    } else {
        std::ranges::for_each(kOfPrecision, [&](const char* name) { refuse(name, "diagnose precision FILE"); });
    }
}

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

// The page of the run shows the diagnosis from this file.
void write_chapter(const std::filesystem::path& run, const diagnose::Diagnosis& diagnosis) {
    write_file_atomically(run / "diagnosis.json", diagnose::to_json(diagnosis));
    history::RunRecord record(run);
    record.update();
    report::write_report(record);
    log::info(fmt::format("{} has the diagnosis as a chapter", (run / "report.html").string()));
}

// Logs what may be tried. Each result decides on the rest.
void print_plan(double budget, const Diagnosed& diagnosed) {
    log::info(fmt::format("at most {} of experiments, each chosen by what the ones before have found:",
                          format_duration(budget)));
    const bool has_replicas = diagnosed.processes > 1 || diagnosed.spec.strategy.use != "single";
    for (const diagnose::Topic& topic : diagnose::topics()) {
        if (has_replicas || topic.name != "strategy") {
            log::info(fmt::format("  {:<10} {}", topic.name, topic.plan));
        }
    }
}

int diagnose_pipeline(const DiagnoseOptions& wanted, const Common& common) {
    const double budget = wanted.budget.empty() ? kBudget : budget_of(wanted.budget);
    if (!wanted.write.empty()) {
        expect_new_file(wanted.write);
    }
    const double began = now();
    const Diagnosed diagnosed = open_diagnosed(wanted.words.back(), wanted.beside, wanted.processes, common);
    const registry::Registry registry = open_registry(common);
    // On the disk of runs, so that trainings write to the same one.
    const diagnose::ScratchFolder folder(nearest_folder(wanted.runs), ".diagnose-");
    catch_stop_signals("stopping after this measurement");
    if (!common.quiet) {
        print_plan(budget, diagnosed);
    }
    const auto diagnosis = [&] {
        const ProgressLine line;
        diagnose::Laboratory laboratory(
            diagnosed.spec, laboratory_request(diagnosed, common, folder.path(), [&](const std::string& text) {
                line.show(fmt::format("{:.0f} s: {}", now() - began, text));
            }));
        return diagnose::diagnose_pipeline(
            diagnosed.spec, registry, laboratory,
            {.end = began + budget, .allows_other_results = wanted.allows_other_results, .proves = wanted.proves});
    }();
    std::cout << (wanted.json ? diagnose::to_json(diagnosis) : diagnose::to_text(diagnosis));
    if (!wanted.write.empty()) {
        write_changed(wanted.write, diagnosed, common, diagnosis.remedy.changes());
    }
    if (!diagnosed.run.empty() && !wanted.beside) {
        write_chapter(diagnosed.run, diagnosis);
    }
    return stop_signal() == 0 ? 0 : 128 + stop_signal();
}

}  // namespace

int diagnose(const Arguments& arguments) {
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
    options.add_options()(
        "allow-other-results", po::bool_switch(&wanted.allows_other_results),
        "--write and --prove: also changes with which the training learns something else, or writes less");
    options.add_options()("beside", po::bool_switch(&wanted.beside), "diagnose a run that is alive, beside it");
    options.add_options()("processes", po::value(&wanted.processes)->value_name("N"),
                          "train with so many processes of this machine (those of the run, or 1)");
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
    refuse_others(values, is_precision);
    return is_precision ? diagnose_precision(wanted, common) : diagnose_pipeline(wanted, common);
}

}  // namespace sluice::cli
