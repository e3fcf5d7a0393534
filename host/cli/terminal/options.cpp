#include "cli/terminal/options.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <iostream>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/program_name.hpp"
#include "base/text/nearest.hpp"
#include "cli/pages/help_pages.hpp"

namespace sluice::cli {

namespace po = boost::program_options;

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

}  // namespace sluice::cli
