// `compare` shows what differs between runs, beyond noise.
#include "compare/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "base/control.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/program_name.hpp"
#include "cli/terminal/command.hpp"
#include "cli/terminal/options.hpp"
#include "compare/comparison_json.hpp"
#include "compare/comparison_page.hpp"
#include "compare/comparison_text.hpp"
#include "compare/condition.hpp"
#include "history/run_record.hpp"
#include "history/run_summary.hpp"

namespace sluice::cli {
namespace {

constexpr int kMostRuns = 26;  // one for each letter

std::vector<history::RunRecord> read_runs(const std::vector<std::string>& folders) {
    if (folders.size() < 2) {
        throw Error(Exit::config,
                    fmt::format("compare: {} run is given; name two or more folders of runs", folders.size()));
    }
    std::vector<history::RunRecord> runs;
    for (const std::string& folder : folders) {
        history::check_run(folder);
        runs.emplace_back(folder).update();
    }
    return runs;
}

// Prints the conditions that are met. Returns the exit code.
int judge(const std::vector<compare::Condition>& conditions, const compare::Comparison& comparison) {
    bool is_any_met = false;
    for (const compare::Condition& condition : conditions) {
        for (const compare::Against& other : comparison.others) {
            const std::string& name = comparison.names[other.run];
            const auto figure = std::ranges::find(comparison.figures, condition.figure, &compare::Figure::name);
            if (figure != comparison.figures.end() && figure->runs[other.run].is_known() &&
                !figure->runs[other.run].has_error()) {
                std::cerr << fmt::format("{}: the noise of {} is unknown; its value alone is judged\n", name,
                                         figure->name);
            }
            if (compare::is_met(condition, comparison.figures, 0, other.run, name)) {
                is_any_met = true;
                std::cerr << fmt::format("{} against A: '{}' is met\n", name, shown(condition.text));
            }
        }
    }
    return static_cast<int>(is_any_met ? Exit::worse : Exit::ok);
}

}  // namespace

int compare(const Arguments& arguments) {
    namespace po = boost::program_options;
    std::vector<std::string> folders;
    std::vector<std::string> limits;
    std::string page;
    po::options_description options("Options");
    options.add_options()("help,h", "show this help");
    options.add_options()("run", po::value(&folders)->required()->value_name("RUN"),
                          "two or more folders of runs; the first is the one that the others are compared with");
    options.add_options()("fail-if", po::value(&limits)->value_name("CONDITION"),
                          "exit with code 9 if this holds for the whole interval: 'step_seconds > 1.05x' is a ratio, "
                          "'validation.psnr < -0.1' a difference (repeatable)");
    options.add_options()("json", "print the comparison as JSON; times are seconds");
    options.add_options()("html", po::value(&page)->value_name("FILE"), "also write a page with curves");
    po::variables_map values;
    if (!parse(arguments, "compare", options, values, "run", kMostRuns)) {
        return 0;
    }
    std::vector<compare::Condition> conditions;
    std::ranges::transform(limits, std::back_inserter(conditions), compare::parse_condition);
    const std::vector<history::RunRecord> runs = read_runs(folders);
    compare::Runs compared;
    std::ranges::transform(runs, std::back_inserter(compared), [](const history::RunRecord& run) { return &run; });
    const compare::Comparison comparison = compare::compare(compared);
    if (!page.empty()) {
        write_file_atomically(page, report::to_html(compare::comparison_page(comparison, compared)));
    }
    if (values.count("json") != 0) {
        std::cout << compare::to_json(comparison) << '\n';
    } else {
        std::cout << compare::to_text(comparison);
        if (page.empty()) {
            std::cout << fmt::format("\n--html FILE writes a page with the curves; {} shows where a step's time goes\n",
                                     typed("profile show RUN"));
        }
    }
    return judge(conditions, comparison);
}

}  // namespace sluice::cli
