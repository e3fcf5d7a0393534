#include "launch/supervisor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <sstream>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/program_name.hpp"
#include "cli/terminal/command.hpp"
#include "cli/terminal/options.hpp"

namespace sluice::cli {
namespace {

constexpr std::array kWithValue{"-n", "--processes", "--host", "--hostfile", "--patience", kListOptions};

// Splits `launch -n 4 --quiet F --set a.b=v` into the launcher's arguments and those of train or resume. The launcher's
// options with a value may stand anywhere, since train and resume have no such options. --help is the launcher's only
// before the first argument of train or resume.
std::pair<Arguments, Arguments> split(const Arguments& arguments) {
    Arguments own;
    Arguments words;
    for (auto at = arguments.begin(); at != arguments.end(); ++at) {
        const std::string name = at->substr(0, at->find('='));
        if (std::ranges::find(kWithValue, name) != kWithValue.end()) {
            own.push_back(*at);
            if (name == *at && at + 1 != arguments.end()) {
                own.push_back(*++at);
            }
        } else if ((name.starts_with("-n") && name.size() > 2) ||
                   (words.empty() && (name == "--help" || name == "-h"))) {
            own.push_back(*at);
        } else {
            words.push_back(*at);
        }
    }
    return {own, words};
}

// Returns the command line of each process.
Arguments command_of(Arguments words) {
    const auto is_command = [&](const Command& command) { return words.front() == command.name; };
    if (std::ranges::none_of(commands(), is_command)) {
        words.insert(words.begin(), "train");
    } else if (words.front() != "train" && words.front() != "resume") {
        throw Error(Exit::config, fmt::format("{} starts only {} or {}; {} runs in one process: {}", typed("launch"),
                                              typed("train"), typed("resume"), words.front(), typed(words.front())));
    }
    // Inserted before the user's own --set, which thus overrides it.
    words.insert(words.begin() + 1, {"--set", "strategy.use=multi_worker"});
    words.insert(words.begin(), std::filesystem::read_symlink("/proc/self/exe").string());
    return words;
}

// Reports a file without hosts, for which mpirun would print an internal error too. A pipe is left for mpirun to read.
void check_hosts(const std::string& hostfile) {
    std::error_code not_there;
    if (std::filesystem::is_other(hostfile, not_there)) {
        return;
    }
    std::istringstream text(read_file(hostfile));
    for (std::string line; std::getline(text, line);) {
        const std::size_t begin = line.find_first_not_of(" \t\r");
        if (begin != std::string::npos && line[begin] != '#' && line.compare(begin, 2, "//") != 0) {
            return;
        }
    }
    throw Error(Exit::config,
                fmt::format("{}: no host is in this file; lines like \"node1 slots=2\" are needed", hostfile));
}

}  // namespace

int launch(const Arguments& arguments) {
    namespace po = boost::program_options;
    launch::LaunchRequest request;
    std::string hosts;
    std::string hostfile;
    double patience = 0.0;
    po::options_description options("options, in addition to those of train and resume");
    options.add_options()("processes,n", po::value(&request.processes)->value_name("N"),
                          "number of processes over all hosts");
    options.add_options()("host", po::value(&hosts)->value_name("A,B"),
                          "run on these hosts, written as for mpirun (default: this host)");
    options.add_options()("hostfile", po::value(&hostfile)->value_name("FILE"), "run on the hosts in this file");
    options.add_options()("patience", po::value(&patience)->value_name("SECONDS"),
                          "timeout for processes to start (60 for the first, then 6 for the others)");
    options.add_options()("help,h", "show this help");
    auto [own, words] = split(arguments);
    po::variables_map values;
    if (!parse(own, "launch", options, values)) {
        return 0;
    }
    if (values.count("processes") == 0 || request.processes < 1 || words.empty()) {
        throw Error(Exit::config,
                    fmt::format("-n N and a pipeline file, or a run to resume, are needed: {}, or {}",
                                typed("launch -n 4 deblur.toml"), typed("launch -n 4 resume runs/deblur-001")));
    }
    for (const auto& [option, value] : {std::pair{"--host", hosts}, std::pair{"--hostfile", hostfile}}) {
        if (!value.empty()) {
            request.mpirun_options.insert(request.mpirun_options.end(), {option, value});
        }
    }
    if (!hostfile.empty()) {
        check_hosts(hostfile);
    }
    if (values.count("patience") != 0) {
        if (!(patience > 0.0)) {
            throw Error(Exit::config, fmt::format("--patience {}: more than 0 seconds are needed", patience));
        }
        request.timeout = patience;
    }
    if (!removed_folder_text(".").empty()) {
        throw Error(Exit::config, "the working folder was removed, but mpirun needs one; change to another folder");
    }
    request.command = command_of(std::move(words));
    return launch::run(request);
}

}  // namespace sluice::cli
