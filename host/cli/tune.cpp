// `tune` searches for the fastest settings of a pipeline.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <string>
#include <system_error>
#include <vector>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/program_name.hpp"
#include "base/signals/stop_handler.hpp"
#include "cli/diagnosed.hpp"
#include "cli/terminal/command.hpp"
#include "cli/terminal/open_registry.hpp"
#include "cli/terminal/options.hpp"
#include "cli/terminal/progress_line.hpp"
#include "diagnose/trial/scratch_folder.hpp"
#include "diagnose/tune/tuning.hpp"

namespace sluice::cli {
namespace {

diagnose::Allowed allowed_of(const std::vector<std::string>& names) {
    diagnose::Allowed allowed;
    for (const std::string& name : names) {
        if (name == "batch") {
            allowed.batch = true;
        } else if (name == "precision") {
            allowed.precision = true;
        } else {
            throw Error(Exit::config, fmt::format("--allow is '{}'; it is batch or precision", name));
        }
    }
    return allowed;
}

}  // namespace

int tune(const Arguments& arguments) {
    namespace po = boost::program_options;
    Common common;
    std::string name;
    std::string budget_text = "5m";
    std::string runs = "runs";
    std::string write;
    std::string prepare;
    std::vector<std::string> allow;
    int processes = 0;
    bool json = false;
    po::options_description options("options");
    options.add_options()("name", po::value(&name)->value_name("FILE|RUN"),
                          "the pipeline file, the name of an installed one, or the folder of a run");
    options.add_options()("budget", po::value(&budget_text)->value_name("TIME"),
                          "how long the search may take, such as 90s (5m)");
    options.add_options()("write", po::value(&write)->value_name("FILE"), "write the tuned pipeline to this new file");
    options.add_options()("prepare", po::value(&prepare)->value_name("FOLDER"),
                          "also try data that are prepared in this new folder; what is not used is removed");
    options.add_options()("allow", po::value(&allow)->value_name("WHAT"),
                          "also tune batch or precision, which change what is learnt; can be repeated");
    options.add_options()("processes", po::value(&processes)->value_name("N"),
                          "train with so many processes of this machine (those of the run, or 1)");
    options.add_options()("runs", po::value(&runs)->value_name("FOLDER"),
                          "the folder of runs: trainings of the search write there, and remove it all (runs)");
    options.add_options()("json", po::bool_switch(&json), "print all figures as JSON");
    add_common(options, common);
    po::variables_map values;
    if (!parse(arguments, "tune", options, values, "name")) {
        return 0;
    }
    if (name.empty()) {
        throw Error(Exit::config, "no pipeline was given: " + typed("tune deblur.toml"));
    }
    const double budget = budget_of(budget_text);
    const diagnose::Allowed allowed = allowed_of(allow);
    if (!write.empty()) {
        expect_new_file(write);
    }
    std::error_code none;
    if (!prepare.empty() && std::filesystem::exists(prepare, none)) {
        throw Error(Exit::config, fmt::format("--prepare {}: the folder exists; name a new one", prepare));
    }
    const double began = now();
    const Diagnosed tuned = open_diagnosed(name, false, processes, common);
    const registry::Registry registry = open_registry(common);
    // On the disk of runs, so that trainings write to the same one.
    const diagnose::ScratchFolder folder(nearest_folder(runs), ".tune-");
    catch_stop_signals("stopping after this measurement");
    const auto tuning = [&] {
        const ProgressLine line;
        diagnose::Laboratory laboratory(tuned.spec,
                                        laboratory_request(tuned, common, folder.path(), [&](const std::string& text) {
                                            line.show(fmt::format("{:.0f} s: {}", now() - began, text));
                                        }));
        return diagnose::tune_pipeline(tuned.spec, registry, laboratory,
                                       {.allowed = allowed, .prepare = prepare, .end = began + budget});
    }();
    std::cout << (json ? diagnose::to_json(tuning) : diagnose::to_text(tuning));
    if (!write.empty()) {
        write_changed(write, tuned, common, tuning.changes());
    }
    return stop_signal() == 0 ? 0 : 128 + stop_signal();
}

}  // namespace sluice::cli
