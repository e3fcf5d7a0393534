// `runs` lists the runs of a folder.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/control.hpp"
#include "base/program_name.hpp"
#include "base/text/columns.hpp"
#include "base/text/duration.hpp"
#include "cli/terminal/command.hpp"
#include "cli/terminal/options.hpp"
#include "history/advice.hpp"
#include "history/run_summary.hpp"

namespace sluice::cli {
namespace {

using history::RunSummary;
using Json = nlohmann::ordered_json;

std::string progress_of(const RunSummary& run) {
    if (run.last_step <= 0) {
        return "-";
    }
    return fmt::format("{:3.0f} %  epoch {}/{}",
                       100.0 * std::min(1.0, static_cast<double>(run.step) / static_cast<double>(run.last_step)),
                       run.epoch, run.epochs);
}

std::string best_of(const RunSummary& run) {
    return run.best ? fmt::format("{} {:.4g} at {}", run.best->name, run.best->value, run.best->step) : "-";
}

// The cells of a row, by column.
std::vector<std::string> cells_of(const RunSummary& run) {
    if (!run.problem.empty()) {
        return {shown(run.name), "unreadable", "-", "-", "-", "-", "-", "-"};
    }
    return {shown(run.name),
            name_of(run.state),
            progress_of(run),
            std::isnan(run.loss) ? "-" : fmt::format("{:.4g}", run.loss),
            best_of(run),
            run.samples_per_second > 0.0 ? fmt::format("{:.4g} samples/s", run.samples_per_second) : "-",
            run.limit.empty() ? "-" : run.limit,
            format_duration(run.age)};
}

void print_table(const std::vector<RunSummary>& runs) {
    std::vector<std::vector<std::string>> rows{{"run", "state", "progress", "loss", "best", "speed", "limit", "age"}};
    std::ranges::transform(runs, std::back_inserter(rows), cells_of);
    std::vector<int> widths(rows.front().size());
    for (const std::vector<std::string>& row : rows) {
        for (std::size_t column = 0; column < row.size(); ++column) {
            widths[column] = std::max(widths[column], columns_of(row[column]));
        }
    }
    for (const std::vector<std::string>& row : rows) {
        std::string line;
        for (std::size_t column = 0; column < row.size(); ++column) {
            line +=
                row[column] + std::string(static_cast<std::size_t>(widths[column] - columns_of(row[column]) + 2), ' ');
        }
        line.erase(line.find_last_not_of(' ') + 1);
        std::cout << line << '\n';
    }
}

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json summary_json(const RunSummary& run) {
    Json json{{"name", run.name},
              {"folder", run.folder.string()},
              {"state", name_of(run.state)},
              {"step", run.step},
              {"steps", run.last_step},
              {"epoch", run.epoch},
              {"epochs", run.epochs},
              {"seconds", number(run.seconds)},
              {"samples_per_second", number(run.samples_per_second)},
              {"loss", number(run.loss)},
              {"best", nullptr},
              {"limit", run.limit},
              {"age_seconds", number(run.age)}};
    if (run.best) {
        json["best"] = {{"name", run.best->name}, {"value", number(run.best->value)}, {"step", run.best->step}};
    }
    if (!run.problem.empty()) {
        json["problem"] = run.problem;
    }
    return json;
}

}  // namespace

int runs(const Arguments& arguments) {
    namespace po = boost::program_options;
    std::string folder;
    po::options_description options("Options");
    options.add_options()("help,h", "show this help");
    options.add_options()("folder", po::value(&folder)->default_value("runs")->value_name("FOLDER"),
                          "the folder of runs, or one run");
    options.add_options()("json", "print the table as JSON; times are seconds");
    po::variables_map values;
    if (!parse(arguments, "runs", options, values, "folder")) {
        return 0;
    }
    const std::vector<RunSummary> found = history::list_runs(folder);
    if (values.count("json") != 0) {
        Json list = Json::array();
        std::ranges::transform(found, std::back_inserter(list), summary_json);
        std::cout << list.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
        return 0;
    }
    if (found.empty()) {
        std::cout << fmt::format("{}: there is no run in this folder; {} starts one\n", folder,
                                 typed("--pipeline deblur.toml"));
        return 0;
    }
    print_table(found);
    for (const RunSummary& run : found) {
        if (!run.problem.empty()) {
            std::cout << shown(run.problem) << '\n';
        }
    }
    if (const std::string next = history::advice_on(found); !next.empty()) {
        std::cout << '\n' << next << '\n';
    }
    return 0;
}

}  // namespace sluice::cli
