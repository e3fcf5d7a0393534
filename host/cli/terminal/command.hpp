// The commands of the program. Each has its own file.
#pragma once

#include <string>
#include <vector>

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
int tune(const Arguments& arguments);
int profile(const Arguments& arguments);
int compare(const Arguments& arguments);
int serve(const Arguments& arguments);
int watch(const Arguments& arguments);
int report(const Arguments& arguments);
int runs(const Arguments& arguments);
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

}  // namespace sluice::cli
