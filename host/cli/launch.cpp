#include "launch/supervisor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "base/error.hpp"
#include "base/program_name.hpp"
#include "cli/command.hpp"

namespace sluice::cli {
namespace {

// `launch -n 4 F --set a.b=v`: what stands before the first word that is no option is for the launcher itself.
std::pair<Arguments, Arguments> split(const Arguments& arguments) {
    auto at = arguments.begin();
    while (at != arguments.end() && at->starts_with("-")) {
        const bool has_value = *at != "--help" && *at != "-h" && at->find('=') == std::string::npos &&
                               (at->starts_with("--") || at->size() == 2);
        at += has_value && at + 1 != arguments.end() ? 2 : 1;
    }
    return {{arguments.begin(), at}, {at, arguments.end()}};
}

// What each process is to do.
Arguments command_of(Arguments words) {
    if (words.front() != "train" && words.front() != "resume") {
        words.insert(words.begin(), {"train", "--pipeline"});
    }
    // First of what is set, so that the user's own --set comes after it.
    words.insert(words.begin() + 1, {"--set", "strategy.use=multi_worker"});
    words.insert(words.begin(), std::filesystem::read_symlink("/proc/self/exe").string());
    return words;
}

}  // namespace

int launch(const Arguments& arguments) {
    namespace po = boost::program_options;
    launch::Job job;
    std::string hosts;
    std::string hostfile;
    po::options_description options("options, before FILE");
    options.add_options()("processes,n", po::value(&job.processes)->value_name("N"), "how many, over all hosts");
    options.add_options()("host", po::value(&hosts)->value_name("A,B"),
                          "on these hosts (this one), as mpirun takes it");
    options.add_options()("hostfile", po::value(&hostfile)->value_name("FILE"), "on the hosts of this file");
    options.add_options()("help,h", "show this help");
    auto [own, words] = split(arguments);
    po::variables_map values;
    if (!parse(own, "launch", options, values)) {
        return 0;
    }
    if (values.count("processes") == 0 || job.processes < 1 || words.empty()) {
        throw Error(Exit::config,
                    fmt::format("how many processes, and of what? {}, or {}", typed("launch -n 4 deblur.toml"),
                                typed("launch -n 4 resume runs/deblur-001")));
    }
    for (const auto& [option, value] : {std::pair{"--host", hosts}, std::pair{"--hostfile", hostfile}}) {
        if (!value.empty()) {
            job.mpirun_options.insert(job.mpirun_options.end(), {option, value});
        }
    }
    job.command = command_of(std::move(words));
    return launch::run(job);
}

}  // namespace sluice::cli
