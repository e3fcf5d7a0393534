// `help` prints the overview of commands, a page of the documentation, or the options of a command.
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <iterator>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/program_name.hpp"
#include "base/text/nearest.hpp"
#include "cli/pages/help_pages.hpp"
#include "cli/pages/markdown.hpp"
#include "cli/terminal/command.hpp"
#include "cli/terminal/options.hpp"

namespace sluice::cli {
namespace {

constexpr std::size_t kNarrowestPage = 40;
constexpr std::size_t kWidestPage = 110;  // longer lines are hard to read

PageLayout layout_of_output() {
    PageLayout layout;
    winsize window{};
    layout.is_bold = ::isatty(STDOUT_FILENO) != 0;
    const char* const columns = std::getenv("COLUMNS");  // set by a pager, for example
    if (layout.is_bold && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0) {
        layout.width = window.ws_col;
    } else if (columns != nullptr && std::atoi(columns) > 0) {
        layout.width = static_cast<std::size_t>(std::atoi(columns));
    }
    layout.width = std::clamp(layout.width, kNarrowestPage, kWidestPage);
    return layout;
}

void print_topics(const char* heading, const std::vector<HelpPage>& pages) {
    if (!pages.empty()) {
        std::cout << "\n" << heading << "\n";
    }
    for (const HelpPage& page : pages) {
        std::cout << fmt::format("  {:<22} {}\n", page.topic, page.title);
    }
}

}  // namespace

std::vector<std::string> help_topics() {
    std::vector<std::string> topics;
    for (const std::vector<HelpPage>& pages : {user_pages(), author_pages()}) {
        std::ranges::transform(pages, std::back_inserter(topics), &HelpPage::topic);
    }
    for (const Command& command : commands()) {
        topics.emplace_back(command.name);
    }
    return topics;
}

void print_overview() {
    std::cout << "Sluice trains image models as fast as the hardware allows.\n\n";
    for (const Command& command : commands()) {
        std::cout << fmt::format("  {:<10} {}\n", command.name, command.about);
    }
    std::cout << fmt::format("\n{} lists the options of a command; {} is {}.\n", typed("COMMAND --help"),
                             typed("--pipeline FILE"), typed("train --pipeline FILE"));
    print_topics(fmt::format("Pages, shown by {}:", typed("help TOPIC")).c_str(), user_pages());
    print_topics("Pages for authors of plugins:", author_pages());
}

int help(const Arguments& arguments) {
    namespace po = boost::program_options;
    std::string topic;
    po::options_description options("options");
    options.add_options()("topic", po::value(&topic)->value_name("TOPIC"), "a page, or a command for its options");
    options.add_options()("help,h", "show this help");
    po::variables_map values;
    if (!parse(arguments, "help", options, values, "topic")) {
        return 0;
    }
    if (topic.empty()) {
        print_overview();
        return 0;
    }
    if (const std::optional<HelpPage> page = find_page(topic)) {
        std::cout << lay_out_page(read_file(page->file), layout_of_output());
        return 0;
    }
    const auto command = std::ranges::find(commands(), std::string_view(topic), &Command::name);
    if (command != commands().end()) {
        return command->run({"--help"});
    }
    throw Error(Exit::config, fmt::format("there is no page and no command '{}'; {} lists all{}", topic, typed("help"),
                                          suggestion(topic, help_topics())));
}

}  // namespace sluice::cli
