// One command of the program: its name, one line of help, and what it does. Each lives in a file of its own.
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
    const char* usage;  // behind the name of the program: "plan FILE"
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

// All commands and pages, a line each.
void print_overview();

// The words that `help` takes: pages, then commands. A page comes first if both have the name.
std::vector<std::string> help_topics();

// A first argument that no user writes: parse() then prints the options that begin with the second, and returns false.
inline constexpr const char* kListOptions = "--list-options";

// Options that most commands share, and their values once parsed.
struct Common {
    std::vector<std::string> sets;
    std::vector<std::string> plugins;
    bool plugin_checks = false;
    bool quiet = false;
};
void add_common(boost::program_options::options_description& options, Common& common);

// Parses; prints help and returns false where --help was given. Unknown options are Error(Exit::config) with the
// nearest right one. `positional` names the option that bare words fill.
bool parse(const Arguments& arguments, const char* command, const boost::program_options::options_description& options,
           boost::program_options::variables_map& values, const char* positional = nullptr, int most_positional = 1);

// The plugins of this installation and of the search path, the refused among them.
registry::Registry list_plugins(const Common& common);

// The same for use. A refused file that --plugin or SLUICE_PLUGIN_PATH names is Error(Exit::plugin); one that only lies
// in a folder there is told as a warning.
registry::Registry open_registry(const Common& common);

// How a user starts this program from the folder at hand: `sluice` where it is on the path, else its file.
std::string program();

// A word for a POSIX shell: as it is where that is safe, else in single quotes.
std::string shell_quoted(const std::string& word);

// The pipeline file of that name: as it is, or one of the installed pipelines. Throws Error(Exit::config).
std::filesystem::path find_pipeline(const std::string& name);

}  // namespace sluice::cli
