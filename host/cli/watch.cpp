// `watch` shows a run in the terminal while it trains.
#include <fmt/format.h>
#include <langinfo.h>
#include <sys/resource.h>
#include <unistd.h>

#include <clocale>
#include <iostream>
#include <string>
#include <string_view>

#include "base/signals/stop_handler.hpp"
#include "cli/terminal/command.hpp"
#include "cli/terminal/options.hpp"
#include "history/run_summary.hpp"
#include "watch/run_frame.hpp"
#include "watch/run_view.hpp"
#include "watch/screen.hpp"

namespace sluice::cli {
namespace {

watch::Letters letters_of_terminal() {
    std::setlocale(LC_CTYPE, "");
    return std::string_view(::nl_langinfo(CODESET)) == "UTF-8" ? watch::Letters::blocks : watch::Letters::ascii;
}

void show_until_quit(watch::RunView& run, watch::Letters letters) {
    constexpr int kPause = 1000;  // milliseconds
    watch::Screen screen;
    do {
        run.update();
        screen.show(watch::run_frame(run, screen.columns(), screen.lines(), letters));
    } while (screen.wait(kPause) && stop_signal() == 0);
}

}  // namespace

int watch(const Arguments& arguments) {
    namespace po = boost::program_options;
    std::string folder;
    po::options_description options("Options");
    options.add_options()("help,h", "show this help");
    options.add_options()("run", po::value(&folder)->required()->value_name("RUN"), "the folder of the run");
    options.add_options()("once", "print the screen once, 80 columns wide and 24 lines high");
    po::variables_map values;
    if (!parse(arguments, "watch", options, values, "run")) {
        return 0;
    }
    history::check_run(folder);
    const watch::Letters letters = letters_of_terminal();
    watch::RunView run(folder);
    if (values.count("once") != 0 || ::isatty(STDIN_FILENO) == 0 || ::isatty(STDOUT_FILENO) == 0) {
        constexpr int kColumns = 80;
        constexpr int kLines = 24;
        run.update();
        std::cout << watch::run_frame(run, kColumns, kLines, letters).text();
        return 0;
    }
    constexpr int kPolite = 10;  // trainings on this machine go first
    ::setpriority(PRIO_PROCESS, 0, kPolite);
    catch_stop_signals("");
    show_until_quit(run, letters);
    return 0;
}

}  // namespace sluice::cli
