#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <iostream>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/text/counted.hpp"
#include "base/text/nearest.hpp"
#include "call_checks/checks.hpp"
#include "check/contract/contract.hpp"
#include "check/numerics/check_kernels.hpp"
#include "cli/check_printer.hpp"
#include "cli/terminal/command.hpp"
#include "cli/terminal/open_registry.hpp"
#include "cli/terminal/options.hpp"
#include "config/override.hpp"
#include "registry/loading/search_path.hpp"
#include "registry/manifest/manifest.hpp"

namespace sluice::cli {
namespace {

using check::Finding;

struct CheckRequest {
    std::vector<std::string> names;  // of components
    std::vector<std::filesystem::path> files;
    check::CheckSettings contract;
    bool json = false;
    bool verbose = false;
};

// Throws Error(Exit::device) if there is any reason why a check could not be run. Then the other results do not count.
void expect_no_shortage(const std::vector<std::string>& reasons) {
    if (!reasons.empty()) {
        throw Error(Exit::device,
                    fmt::format("{} could not be run: {}", counted(reasons.size(), "check"), reasons.front()));
    }
}

// Runs every check i by calling run(i, report) and prints its findings. Returns the exit code.
int run_checks(CheckPrinter& printer, std::span<const std::pair<std::string, std::string>> checks,
               const std::function<void(std::size_t, const std::function<void(const Finding&)>&)>& run) {
    CheckCounts total{};
    std::vector<std::string> lacking;  // reasons of checks that could not be run
    printer.begin(checks);
    for (std::size_t i = 0; i < checks.size(); ++i) {
        std::vector<Finding> findings;
        run(i, [&](const Finding& finding) {
            printer.add(finding);
            findings.push_back(finding);
            if (finding.lacked_threads) {
                lacking.push_back(finding.reason);
            }
        });
        printer.end_check(findings);
        std::ranges::transform(total, count(findings), total.begin(), std::plus<>());
    }
    printer.end(total);
    expect_no_shortage(lacking);
    const bool failed = total[static_cast<std::size_t>(check::Result::failed)] > 0 ||
                        total[static_cast<std::size_t>(check::Result::crashed)] > 0;
    return static_cast<int>(failed ? Exit::plugin : Exit::ok);
}

int check_kernels(const registry::Registry& registry, const CheckRequest& request) {
    const std::vector<check::Pair> pairs = check::list_pairs(registry, request.names);
    std::vector<std::pair<std::string, std::string>> checks;
    for (const check::Pair& pair : pairs) {
        checks.emplace_back(pair.layer->provides, pair.kernels != nullptr ? pair.kernels->provides : "-");
    }
    const auto printer =
        request.json ? print_json(kKernelWords) : print_text(request.verbose ? Detail::everything : Detail::faults);
    return run_checks(*printer, checks,
                      [&](std::size_t i, const auto& report) { check::check_pair(registry, pairs[i], {}, report); });
}

int check_components(const registry::Registry& registry, const CheckRequest& request,
                     const std::vector<const registry::ComponentManifest*>& components) {
    std::vector<std::pair<std::string, std::string>> checks;
    for (const registry::ComponentManifest* component : components) {
        checks.emplace_back(component->provides, registry::to_string(component->kind));
    }
    const auto printer =
        request.json ? print_json(kContractWords) : print_text(request.verbose ? Detail::everything : Detail::findings);
    check::CheckSettings contract = request.contract;
    const int exit = run_checks(*printer, checks, [&](std::size_t i, const auto& report) {
        contract.begin = [&](const std::string& name) { printer->begin_case(components[i]->provides, name); };
        check::check_contract(registry, *components[i], contract, report);
    });
    if (!request.json) {
        std::cout << fmt::format("seed {}; --case NAME --seed {} runs one case again, --list prints what each proves\n",
                                 request.contract.seed, request.contract.seed);
    }
    return exit;
}

// Explains why a plugin has no component that this host knows.
std::string why_nothing_is_known(const std::filesystem::path& file, const registry::PluginManifest& manifest) {
    return manifest.unread.empty() ? fmt::format("{}: built for ABI {}, and this host knows none of its components",
                                                 file.string(), manifest.abi)
                                   : fmt::format("{}", fmt::join(manifest.unread, "; "));
}

// Selects components by file and by name. Without files it searches all plugins; without names it takes all components.
std::vector<const registry::ComponentManifest*> choose(const registry::Registry& registry,
                                                       const CheckRequest& request) {
    std::vector<const registry::ComponentManifest*> chosen;
    std::vector<std::string> known;
    std::vector<std::string> missed = request.names;
    for (const registry::PluginFile& seen : registry.seen()) {
        const bool is_meant = request.files.empty() || std::ranges::count(request.files, seen.file) > 0;
        if (is_meant && !seen.manifest) {
            throw Error(Exit::plugin, fmt::format("{}: {}", seen.file.string(), seen.refusal));
        }
        if (!request.files.empty() && is_meant && seen.manifest->components.empty()) {
            throw Error(Exit::plugin,
                        why_nothing_is_known(seen.file, *seen.manifest) + "; nothing of it can be checked");
        }
        for (std::size_t i = 0; is_meant && i < seen.manifest->components.size(); ++i) {
            const registry::ComponentManifest& component = seen.manifest->components[i];
            known.push_back(component.provides);
            const auto is_name = [&](const std::string& name) {
                return name == component.provides || name == component.id;
            };
            if (request.names.empty() || std::ranges::any_of(request.names, is_name)) {
                chosen.push_back(&component);
                std::erase_if(missed, is_name);
            }
        }
    }
    if (!missed.empty()) {
        throw Error(Exit::config, fmt::format("there is no component '{}' to check{}", missed.front(),
                                              suggestion(missed.front(), known)));
    }
    return chosen;
}

// Searches the files first: a component in them takes precedence over an installed one with the same id.
registry::Registry open_files(const Common& common, const CheckRequest& request) {
    std::vector<std::filesystem::path> others(request.files.begin() + 1, request.files.end());
    others.push_back(executable_folder() / "plugins");
    for (const std::filesystem::path& path : registry::plugin_search_path(common.plugins)) {
        others.push_back(path);
    }
    return {request.files.front(), others, &call_checks::kChecks};
}

void print_cases(std::string_view head, std::span<const check::Case> cases) {
    std::cout << head << "\n";
    for (const check::Case& one : cases) {
        std::cout << fmt::format("    {:<26} {}\n", one.name, one.proves);
    }
}

void list_cases() {
    print_cases("every kind: loading", check::loading_cases());
    print_cases("every kind: options", check::option_cases());
    print_cases("every kind: objects", check::object_cases());
    for (int kind = 0; kind <= static_cast<int>(registry::Kind::observer); ++kind) {
        print_cases(registry::to_string(static_cast<registry::Kind>(kind)),
                    check::cases_of(static_cast<registry::Kind>(kind)).cases);
    }
}

bool is_file(const std::string& word) { return word.ends_with(".so") || word.find('/') != std::string::npos; }

// True if the names belong to the kernel checks: layer types, kernel providers, or names that no component has.
bool are_of_kernels(const registry::Registry& registry, const std::vector<std::string>& names) {
    return std::ranges::all_of(names, [&](const std::string& name) {
        const auto is_there = [&](registry::Kind kind) {
            return std::ranges::any_of(registry.list(kind),
                                       [&](const auto* one) { return one->provides == name || one->id == name; });
        };
        using registry::Kind;
        return is_there(Kind::layer) || is_there(Kind::kernel) ||
               !std::ranges::any_of(std::array{Kind::device, Kind::optimizer, Kind::source, Kind::transform,
                                               Kind::precision, Kind::strategy, Kind::observer},
                                    is_there);
    });
}

int run_check(const Common& common, const CheckRequest& request) {
    if (!request.files.empty()) {
        const registry::Registry registry = open_files(common, request);
        return check_components(registry, request, choose(registry, request));
    }
    const registry::Registry registry = open_registry(common);
    if (request.contract.only.empty() && are_of_kernels(registry, request.names)) {
        return check_kernels(registry, request);
    }
    return check_components(registry, request, choose(registry, request));
}

}  // namespace

int check(const Arguments& arguments) {
    namespace po = boost::program_options;
    Common common;
    CheckRequest request;
    std::vector<std::string> words;
    bool list = false;
    double seconds = 60.0;
    std::int64_t seed = 1;
    po::options_description options("options");
    options.add_options()(
        "name", po::value(&words)->value_name("FILE|NAME"),
        "a plugin's file or component names: checks all rules of the ABI. A layer type, a kernel provider, or "
        "both: checks what their kernels compute. Without a name: checks all kernels");
    options.add_options()("case", po::value(&request.contract.only)->value_name("NAME"), "run only this case");
    options.add_options()("seed", po::value(&seed)->default_value(1, "1")->value_name("N"),
                          "seed of the random inputs of the cases");
    options.add_options()("timeout", po::value(&seconds)->default_value(60.0, "60")->value_name("SECONDS"),
                          "a case that takes longer is stopped and counts as crashed");
    options.add_options()("list", po::bool_switch(&list), "list all cases with the rule that each proves");
    options.add_options()("json", po::bool_switch(&request.json), "print every finding as JSON");
    options.add_options()("verbose,v", po::bool_switch(&request.verbose),
                          "print a line for every check, how long it took, and why it was skipped");
    add_common(options, common);
    po::variables_map values;
    if (!parse(arguments, "check", options, values, "name", -1)) {
        return 0;
    }
    common.plugin_checks = true;
    if (list) {
        list_cases();
        return 0;
    }
    if (seconds <= 0.0) {
        throw Error(Exit::config, fmt::format("--timeout is {}; more than 0 is needed", seconds));
    }
    for (std::string& plugin : common.plugins) {
        plugin = std::filesystem::absolute(plugin);  // cases change the working folder
    }
    if (seed < 0) {
        throw Error(Exit::config, fmt::format("--seed is {}; 0 or more is needed", seed));
    }
    request.contract.seed = static_cast<std::uint64_t>(seed);
    request.contract.limit = std::chrono::duration<double>(seconds);
    for (const std::string& set : common.sets) {
        config::apply_set(request.contract.options, set);
    }
    if (!request.contract.only.empty()) {
        check::expect_case(request.contract.only);
    }
    for (const std::string& word : words) {
        std::error_code unseen;
        if (!is_file(word)) {
            request.names.push_back(word);
        } else if (std::filesystem::symlink_status(word, unseen).type() == std::filesystem::file_type::not_found) {
            throw Error(Exit::config, fmt::format("there is no file {}{}", word, removed_folder_text(word)));
        } else {
            registry::read_manifest(word);  // throws if the file is no plugin
            request.files.push_back(std::filesystem::absolute(word));
        }
    }
    return run_check(common, request);
}

}  // namespace sluice::cli
