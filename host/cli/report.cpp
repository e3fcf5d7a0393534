// `report` writes the page of a run, also of one that was killed before it wrote its own.
#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <string>

#include "base/error.hpp"
#include "base/files.hpp"
#include "cli/terminal/command.hpp"
#include "cli/terminal/options.hpp"
#include "history/run_record.hpp"
#include "history/run_summary.hpp"
#include "report/run_report.hpp"

namespace sluice::cli {

int report(const Arguments& arguments) {
    namespace po = boost::program_options;
    std::string folder;
    po::options_description options("Options");
    options.add_options()("help,h", "show this help");
    options.add_options()("run", po::value(&folder)->required()->value_name("RUN"), "the folder of the run");
    po::variables_map values;
    if (!parse(arguments, "report", options, values, "run")) {
        return 0;
    }
    if (!history::is_run(folder)) {
        throw Error(Exit::config, fmt::format("{}: this is not a run's folder: it has neither resolved.toml nor "
                                              "events.jsonl{}",
                                              folder, removed_folder_text(folder)));
    }
    history::RunRecord run(folder);
    run.update();
    report::write_report(run);
    std::cout << (std::filesystem::path(folder) / "report.html").string() << '\n';
    return 0;
}

}  // namespace sluice::cli
