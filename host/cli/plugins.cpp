#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/program_name.hpp"
#include "base/text/nearest.hpp"
#include "cli/terminal/command.hpp"
#include "cli/terminal/open_registry.hpp"
#include "cli/terminal/options.hpp"
#include "registry/manifest/schema_text.hpp"
#include "registry/objects/device.hpp"

namespace sluice::cli {
namespace {

// Returns why no device of that kind can be used; empty: one can, or the component is no device.
std::string why_unusable(const registry::Registry& registry, const registry::ComponentManifest& component) {
    if (component.kind != registry::Kind::device) {
        return {};
    }
    try {
        const registry::Component found = registry.find(component.kind, component.provides, {});
        return registry::Device::count(found) > 0 ? "" : "there is none in this machine";
    } catch (const Error& error) {
        return error.what();
    }
}

void list(const registry::Registry& registry) {
    for (const registry::PluginFile& seen : registry.seen()) {
        if (!seen.manifest) {
            std::cout << fmt::format("refused  {}: {}\n", seen.file.string(), seen.refusal);
            continue;
        }
        std::cout << fmt::format("{} {}  {}\n  {}\n", seen.manifest->id, seen.manifest->version, seen.manifest->about,
                                 seen.file.string());
        for (const registry::ComponentManifest& component : seen.manifest->components) {
            std::cout << fmt::format("    {:<10} {:<20} {}\n", registry::to_string(component.kind), component.provides,
                                     component.about);
            if (const std::string trouble = why_unusable(registry, component); !trouble.empty()) {
                std::cout << fmt::format("    {:<10} {:<20} {}\n", "", "", trouble);
            }
        }
    }
}

// Returns whether the component draws random numbers; empty if the manifest does not say.
std::string drawing_text(const registry::ComponentManifest& component) {
    const std::string what =
        component.kind == registry::Kind::source ? "samples depend on the seed" : "draws at random";
    switch (component.drawing) {
        case registry::Drawing::unsaid:
            break;
        case registry::Drawing::never:
            return what + ": no\n";
        case registry::Drawing::always:
            return what + ": yes\n";
        case registry::Drawing::by_options:
            return fmt::format("{}: if {} is given\n", what, fmt::join(component.drawing_options, " or "));
    }
    return {};
}

std::string description(const registry::PluginManifest& plugin, const registry::ComponentManifest& component) {
    return fmt::format("{} '{}' ({}, {} {})\n{}\n{}{}", registry::to_string(component.kind), component.provides,
                       component.id, plugin.id, plugin.version, component.about, drawing_text(component),
                       registry::describe(component.options));
}

void warn_of(const std::vector<std::string>& unread) { std::ranges::for_each(unread, log::warn); }

// Describes a plugin's file without loading it, and warns of manifest entries that this host ignores.
void show_file(const std::string& file) {
    const registry::PluginManifest plugin = registry::read_manifest(file);
    warn_of(plugin.unread);
    for (const registry::ComponentManifest& component : plugin.components) {
        warn_of(component.unread);
        std::cout << description(plugin, component);
    }
}

void show(const registry::Registry& registry, const std::string& name) {
    std::vector<std::string> known;
    bool found = false;
    for (const registry::PluginFile& seen : registry.seen()) {
        if (!seen.manifest) {
            continue;
        }
        for (const registry::ComponentManifest& component : seen.manifest->components) {
            known.push_back(component.provides);
            if (component.provides != name && component.id != name) {
                continue;
            }
            found = true;
            std::cout << description(*seen.manifest, component);
        }
    }
    if (!found) {
        const std::string near = suggestion(name, known);
        throw Error(Exit::config, fmt::format("no component is called '{}'{}", name,
                                              near.empty() ? fmt::format("; {} lists all", typed("plugins")) : near));
    }
}

}  // namespace

int plugins(const Arguments& arguments) {
    namespace po = boost::program_options;
    Common common;
    std::vector<std::string> words;
    po::options_description options("options");
    options.add_options()("words", po::value(&words)->value_name("show NAME|FILE"),
                          "show a component, or all components of a plugin's file, with their options");
    add_common(options, common);
    po::variables_map values;
    if (!parse(arguments, "plugins", options, values, "words", 2)) {
        return 0;
    }
    if (words.empty()) {
        list(list_plugins(common));
    } else if (words.size() != 2 || words.front() != "show") {
        throw Error(Exit::config,
                    fmt::format("{} lists all, {} shows a component, {} all of a plugin's file", typed("plugins"),
                                typed("plugins show NAME"), typed("plugins show FILE")));
    } else if (words.back().find('/') != std::string::npos || words.back().ends_with(".so")) {
        show_file(words.back());
    } else {
        show(list_plugins(common), words.back());
    }
    return 0;
}

}  // namespace sluice::cli
