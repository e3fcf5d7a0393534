// Shell completion: prints the candidates for the last word of a command line.
#include <algorithm>
#include <iostream>
#include <iterator>
#include <set>

#include "check/contract/contract.hpp"
#include "cli/plugin_project.hpp"
#include "cli/schema/pipeline_schema.hpp"
#include "cli/schema/set_completions.hpp"
#include "cli/terminal/command.hpp"
#include "cli/terminal/open_registry.hpp"
#include "cli/terminal/options.hpp"
#include "profile/operation_table.hpp"

namespace sluice::cli {
namespace {

using Words = std::vector<std::string>;

Words names_of_components() {
    std::set<std::string> names;
    const registry::Registry registry = list_plugins({});
    for (const registry::PluginFile& seen : registry.seen()) {
        if (seen.manifest) {
            std::ranges::transform(seen.manifest->components, std::inserter(names, names.end()),
                                   &registry::ComponentManifest::provides);
        }
    }
    return {names.begin(), names.end()};
}

// Returns the names of all components of that kind.
Words names_of(registry::Kind kind) {
    std::set<std::string> names;
    const registry::Registry registry = list_plugins({});
    for (const registry::ComponentManifest* component : registry.list(kind)) {
        names.insert(component->provides);
    }
    return {names.begin(), names.end()};
}

Words names_of_cases() {
    std::set<std::string> names;
    for (int kind = 0; kind <= static_cast<int>(registry::Kind::observer); ++kind) {
        for (const check::Case* one : check::list_cases(static_cast<registry::Kind>(kind))) {
            names.insert(one->name);
        }
    }
    return {names.begin(), names.end()};
}

// Completes the word after --set: a key such as "train.epochs=", or the values after the '='. bash splits words at '=',
// other shells do not.
Words settings(const std::string& word) {
    const SetCompletions schema(pipeline_schema(list_plugins({})));
    const std::size_t equals = word.find('=');
    Words words;
    if (equals == std::string::npos) {
        for (const std::string& key : schema.keys()) {
            words.push_back(key + "=");
        }
    } else {
        for (const std::string& value : schema.values(word.substr(0, equals))) {
            words.push_back(word.substr(0, equals + 1) + value);
        }
    }
    return words;
}

Words values_of(const std::string& key) { return SetCompletions(pipeline_schema(list_plugins({}))).values(key); }

Words names_of_commands() {
    Words words;
    for (const Command& command : commands()) {
        words.emplace_back(command.name);
    }
    return words;
}

// If this returns no candidates, the shell offers files.
Words possible(const Arguments& before, const std::string& word) {
    const std::string last = before.empty() ? "" : before.back();
    if (last == "--set") {
        return settings(word);
    }
    if (before.size() > 2 && last == "=" && before[before.size() - 3] == "--set") {
        return values_of(before[before.size() - 2]);
    }
    if (last == "--case") {
        return names_of_cases();
    }
    if (last == "--policy") {
        return names_of(registry::Kind::precision);
    }
    if (last == "--by") {
        return profile::table_names();
    }
    if (last == "--lang") {
        return {"c", "cpp", "rust"};
    }
    if (before.empty()) {
        return names_of_commands();
    }
    if (before == Arguments{"plugins"} || before == Arguments{"profile"}) {
        return {"show"};
    }
    if (before == Arguments{"plugins", "show"} || before.front() == "check") {
        return names_of_components();
    }
    if (before == Arguments{"new"}) {
        return project_kinds();
    }
    if (before == Arguments{"help"}) {
        return help_topics();
    }
    if (before == Arguments{"diagnose"}) {
        return {"precision"};
    }
    return {};
}

}  // namespace

int complete(const Arguments& arguments) {
    if (arguments.empty()) {
        return 0;
    }
    const std::string& word = arguments.back();
    if (word.starts_with("-")) {
        const std::string command = arguments.size() > 1 && !arguments[0].starts_with("-") ? arguments[0] : "train";
        const auto found = std::ranges::find(commands(), command, &Command::name);
        return found != commands().end() ? found->run({kListOptions, word}) : 0;
    }
    for (const std::string& candidate : possible({arguments.begin(), arguments.end() - 1}, word)) {
        if (candidate.starts_with(word)) {
            std::cout << candidate << "\n";
        }
    }
    return 0;
}

}  // namespace sluice::cli
