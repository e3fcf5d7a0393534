// Options of the command line: those that most commands share, and the parser.
#pragma once

#include <boost/program_options.hpp>
#include <string>
#include <vector>

#include "cli/terminal/command.hpp"

namespace sluice::cli {

// For shell completion: if this is the first argument, parse() prints the options that begin with the second one and
// returns false.
inline constexpr const char* kListOptions = "--list-options";

// Values of the options that most commands share. add_common() adds them to `options`; `common` must outlive these.
struct Common {
    std::vector<std::string> sets;
    std::vector<std::string> plugins;
    bool plugin_checks = false;
    bool quiet = false;
};
void add_common(boost::program_options::options_description& options, Common& common);

// Parses the arguments. If --help was given, it prints help and returns false. An unknown option throws
// Error(Exit::config) with the nearest known one. `positional` names the option that positional arguments fill.
bool parse(const Arguments& arguments, const char* command, const boost::program_options::options_description& options,
           boost::program_options::variables_map& values, const char* positional = nullptr, int most_positional = 1);

}  // namespace sluice::cli
