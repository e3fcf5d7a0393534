#include "cli/terminal/command.hpp"
#include "checked/checks.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <iostream>
#include <sstream>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/log.hpp"
#include "base/nearest.hpp"
#include "base/program_name.hpp"
#include "cli/pages/help_pages.hpp"
#include "config/installed.hpp"

namespace sluice::cli {

namespace po = boost::program_options;
namespace fs = std::filesystem;

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
        {"drain", "drain FILE", "Measure the input alone, stage by stage.", "data", drain},
        {"diagnose", "diagnose precision FILE", "Train some steps in float32 and in 16 bits, and compare them.",
         "precision", diagnose},
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

void add_common(po::options_description& options, Common& common) {
    options.add_options()("set", po::value(&common.sets)->composing()->value_name("A.B=V"),
                          "override a value of the pipeline; may be repeated");
    options.add_options()("plugin", po::value(&common.plugins)->composing()->value_name("PATH"),
                          "search this plugin file or folder too; may be repeated");
    options.add_options()("plugin-checks", po::bool_switch(&common.plugin_checks),
                          "check each call of a plugin against the rules of the ABI; takes time, changes no result");
    options.add_options()("quiet,q", po::bool_switch(&common.quiet), "print warnings and errors only");
    options.add_options()("help,h", "show this help");
}

namespace {

std::string did_you_mean(const std::string& wrong, const po::options_description& options) {
    std::vector<std::string> known;
    for (const auto& option : options.options()) {
        known.push_back("--" + option->long_name());
    }
    return suggestion(wrong, known);
}

void list_options(const po::options_description& options, const std::string& beginning, const char* positional) {
    for (const auto& option : options.options()) {
        const bool is_bare = positional != nullptr && option->long_name() == positional;
        if (const std::string name = "--" + option->long_name(); name.starts_with(beginning) && !is_bare) {
            std::cout << name << "\n";
        }
    }
}

const Command& command_named(const char* name) {
    return *std::ranges::find(commands(), std::string_view(name), &Command::name);
}

// Lists positional arguments first, without the name of the option that they fill. An option with a short letter keeps
// its name, since users may type it.
void print_help(const Command& command, const po::options_description& options, const char* positional) {
    po::options_description others("options");
    std::string words;
    for (const auto& option : options.options()) {
        const std::string name = option->format_name();
        if (positional == nullptr || option->long_name() != positional || !name.starts_with("--")) {
            others.add(option);
            continue;
        }
        po::options_description one("arguments");
        one.add(option);
        const std::string value = option->format_parameter();
        words = fmt::format("{}\n", fmt::streamed(one));
        words.replace(words.find(name), name.size() + 1 + value.size(), value + std::string(name.size() + 1, ' '));
    }
    std::cout << program_name() << " " << command.usage << "\n" << command.about << "\n\n" << words << others;
    if (find_page(command.page) || find_page("commands")) {  // pages for authors are in another package
        const char* const page = find_page(command.page) ? command.page : "commands";
        std::cout << "\n" << typed(fmt::format("help {}", page)) << " explains it.\n";
    }
}

}  // namespace

bool parse(const Arguments& arguments, const char* command, const po::options_description& options,
           po::variables_map& values, const char* positional, int most_positional) {
    if (arguments.size() == 2 && arguments.front() == kListOptions) {
        list_options(options, arguments.back(), positional);
        return false;
    }
    po::positional_options_description bare;
    if (positional != nullptr) {
        bare.add(positional, most_positional);
    }
    try {
        po::store(po::command_line_parser(arguments)
                      .options(options)
                      .positional(bare)
                      .style(po::command_line_style::default_style & ~po::command_line_style::allow_guessing)
                      .run(),
                  values);
        if (values.count("help") > 0) {
            print_help(command_named(command), options, positional);
            return false;
        }
        po::notify(values);
    } catch (const po::unknown_option& wrong) {
        throw Error(Exit::config, fmt::format("unknown option '{}'{}", wrong.get_option_name(),
                                              did_you_mean(wrong.get_option_name(), options)));
    } catch (const po::error& wrong) {
        throw Error(Exit::config, fmt::format("{}; see {}", wrong.what(), typed(fmt::format("{} --help", command))));
    }
    if (values.count("quiet") > 0 && values["quiet"].as<bool>()) {
        log::set_level(log::Level::warning);
    }
    return true;
}

registry::Registry list_plugins(const Common& common) {
    return {executable_folder() / "plugins", registry::plugin_search_path(common.plugins),
            common.plugin_checks ? &registry::checked::kChecks : nullptr};
}

registry::Registry open_registry(const Common& common) {
    registry::Registry registry = list_plugins(common);
    const std::vector<fs::path> named = registry::plugin_search_path(common.plugins);
    for (const registry::PluginFile& seen : registry.seen()) {
        if (seen.manifest) {
            continue;
        }
        const std::string text = fmt::format("{}: {}", seen.file.string(), seen.refusal);
        if (std::ranges::find(named, seen.file) != named.end()) {
            throw Error(Exit::plugin, text);
        }
        log::warn("left out: " + text);
    }
    return registry;
}

std::string program() {
    const fs::path file = fs::read_symlink("/proc/self/exe");
    const char* path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');) {
        std::error_code none;
        if (fs::equivalent(fs::path(folder) / "sluice", file, none)) {
            return "sluice";
        }
    }
    std::error_code is_gone;
    const fs::path here = fs::current_path(is_gone);
    const std::string near = is_gone ? ".." : file.lexically_proximate(here).string();
    return shell_quoted(near.starts_with("..")                ? file.string()
                        : near.find('/') == std::string::npos ? "./" + near
                                                              : near);
}

std::string shell_quoted(const std::string& word) {
    const bool is_safe = !word.empty() && std::ranges::all_of(word, [](unsigned char c) {
        return std::isalnum(c) != 0 || c >= 0x80 ||
               std::string_view("/._-+,:@%=").find(static_cast<char>(c)) != std::string_view::npos;
    });
    if (is_safe) {
        return word;
    }
    std::string quoted = "'";
    for (const char c : word) {
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return quoted + "'";
}

fs::path find_pipeline(const std::string& name) {
    std::error_code problem;
    if (const fs::file_status status = fs::status(name, problem); fs::exists(status)) {
        return name;
    } else if (!fs::status_known(status)) {
        throw Error(Exit::config, fmt::format("{}: {}", name, problem.message()));
    }
    if (const auto installed = config::installed_pipeline(name)) {
        return *installed;
    }
    const bool has_folder = !fs::path(name).parent_path().empty();
    const std::vector<std::string> known = has_folder ? std::vector<std::string>() : config::installed_pipelines();
    throw Error(Exit::config, fmt::format("{}: there is no such file, and no installed pipeline of that name{}{}", name,
                                          suggestion(name, known), removed_folder_text(name)));
}

}  // namespace sluice::cli
