// `report` writes the page of a run, also of one that was killed before it wrote its own.
#include <filesystem>
#include <iostream>
#include <string>

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
    history::check_run(folder);
    history::RunRecord run(folder);
    run.update();
    report::write_report(run);
    std::cout << (std::filesystem::path(folder) / "report.html").string() << '\n';
    return 0;
}

}  // namespace sluice::cli
