// The commands of the program, and what they share: options, plugins and pipeline files. Each command has its own file.
#pragma once

#include <boost/program_options.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "registry/loading/registry.hpp"

namespace sluice::cli {

using Arguments = std::vector<std::string>;

struct Command {
    const char* name;
    const char* usage;  // after the program's name: "plan FILE"
    const char* about;  // one sentence
    const char* page;   // the topic of `help` that explains it
    int (*run)(const Arguments&);
};

int train(const Arguments& arguments);
int resume(const Arguments& arguments);
int plan(const Arguments& arguments);
int evaluate(const Arguments& arguments);
int predict(const Arguments& arguments);
int prepare(const Arguments& arguments);
int plugins(const Arguments& arguments);
int doctor(const Arguments& arguments);
int check(const Arguments& arguments);
int bench(const Arguments& arguments);
int diagnose(const Arguments& arguments);
int drain(const Arguments& arguments);
int launch(const Arguments& arguments);
int new_project(const Arguments& arguments);
int schema(const Arguments& arguments);
int complete(const Arguments& arguments);
int help(const Arguments& arguments);

// All commands, in the order of --help.
const std::vector<Command>& commands();

// Prints all commands and pages, a line each.
void print_overview();

// The topics of `help`: pages, then commands. If both have a name, it means the page.
std::vector<std::string> help_topics();

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

// Returns the plugins of this installation and of the search path, including refused ones.
registry::Registry list_plugins(const Common& common);

// As list_plugins(), for use. A refused file that --plugin or SLUICE_PLUGIN_PATH names throws Error(Exit::plugin); one
// that lies in a folder named there causes a warning.
registry::Registry open_registry(const Common& common);

// Returns how a user starts this program from the working folder: `sluice` if it is on the PATH, else its file.
std::string program();

// Returns the word as a POSIX shell reads it: unchanged if that is safe, else in single quotes.
std::string shell_quoted(const std::string& word);

// Returns the pipeline file `name`, or else the installed pipeline of that name. Throws Error(Exit::config) if there is
// neither.
std::filesystem::path find_pipeline(const std::string& name);

}  // namespace sluice::cli
