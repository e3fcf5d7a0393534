#include "cli/terminal/command.hpp"

namespace sluice::cli {

const std::vector<Command>& commands() {
    static const std::vector<Command> all{
        {"train", "[train] --pipeline FILE", "Train the network that a pipeline file describes.", "pipeline", train},
        {"resume", "resume FOLDER", "Continue a run that was stopped, to the same bits.", "commands", resume},
        {"launch", "launch -n N FILE", "Train by several processes, and watch over them.", "distributed", launch},
        {"plan", "plan FILE", "Show layers, kernels and memory before anything runs.", "commands", plan},
        {"evaluate", "evaluate CHECKPOINT", "Measure a checkpoint on validation data.", "commands", evaluate},
        {"predict", "predict CHECKPOINT --input PICTURE|FOLDER --output FOLDER",
         "Restore pictures of any size with a checkpoint.", "commands", predict},
        {"prepare", "prepare FILE --out FOLDER", "Run the first transforms of a pipeline once, and write records.",
         "data", prepare},
        {"check", "check [FILE|COMPONENT...]",
         "Check a plugin against all rules of the ABI, and kernels against the reference and finite differences.",
         "checking", check},
        {"bench", "bench FILE", "Time a training step launch by launch, next to the limits of the machine.",
         "performance", bench},
        {"profile", "profile show RUN, or profile RUN --steps N",
         "Show where the time and memory of recorded steps went, also of a live run.", "commands", profile},
        {"runs", "runs [FOLDER]", "List runs: state, progress, best score, speed and what limits it.", "commands",
         runs},
        {"compare", "compare A B...", "Show what differs between runs beyond noise: settings, times, scores, memory.",
         "commands", compare},
        {"watch", "watch RUN", "Show a run in the terminal while it trains.", "commands", watch},
        {"serve", "serve [FOLDER]", "Show a folder of runs in a browser, with live updates and comparisons.",
         "commands", serve},
        {"report", "report RUN", "Write the page of a run, report.html, anew.", "commands", report},
        {"drain", "drain FILE", "Measure the input alone, stage by stage.", "data", drain},
        {"diagnose", "diagnose FILE|RUN, or diagnose precision FILE",
         "Find out by experiments what holds a training back, and which changes help.", "performance", diagnose},
        {"tune", "tune FILE|RUN", "Search for the fastest settings of a pipeline.", "performance", tune},
        {"plugins", "plugins [show NAME|FILE]", "List plugins, their components, and why a plugin was refused.",
         "commands", plugins},
        {"new", "new KIND NAME [--lang c|cpp|rust]",
         "Write a working plugin with its pipeline, its test and a page on what to change.", "building", new_project},
        {"schema", "schema", "Print a JSON schema of pipeline files, for editors.", "pipeline", schema},
        {"complete", "complete WORD...", "Print completions of the last word, for shells.", "commands", complete},
        {"doctor", "doctor", "Report what this machine and this installation can do.", "gpu", doctor},
        {"help", "help [TOPIC]", "Show a page of the documentation, or the options of a command.", "commands", help},
    };
    return all;
}

}  // namespace sluice::cli
