#include "check/check_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <nlohmann/json.hpp>
#include <tuple>

#include "base/error.hpp"
#include "cli/command.hpp"

namespace sluice::cli {
namespace {

using check::Finding;
using check::Result;

constexpr std::array<const char*, 3> kWords{"passed", "failed", "skipped"};  // by Result

const char* word(Result result) { return kWords[static_cast<std::size_t>(result)]; }

using Counts = std::array<std::size_t, kWords.size()>;

Counts count(std::span<const Finding> findings) {
    Counts counts{};
    for (const Finding& finding : findings) {
        ++counts[static_cast<std::size_t>(finding.result)];
    }
    return counts;
}

// "24 passed, 1 failed"
std::string to_text(const Counts& counts) {
    std::string text;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (counts[i] > 0) {
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", counts[i], kWords[i]);
        }
    }
    return text.empty() ? "nothing to check" : text;
}

// Findings of one layer type and one provider: a line, and below it what is worth saying.
void print_group(std::span<const Finding> group, bool verbose) {
    const Counts counts = count(group);
    std::string line =
        fmt::format("{:<20} {:<16} {}", group.front().component, group.front().provider, to_text(counts));
    const bool all_skipped = counts[static_cast<std::size_t>(Result::skipped)] == group.size();
    if (all_skipped && !verbose) {
        line += ": " + group.front().reason;
    }
    std::cout << line << "\n";
    for (const Finding& finding : group) {
        if (verbose || finding.result == Result::failed) {
            std::cout << fmt::format("    {:<7} {}{}{}\n", word(finding.result), finding.place,
                                     finding.reason.empty() ? "" : ": ", finding.reason);
        }
    }
}

void print(std::vector<Finding> findings, bool verbose) {
    // Layers stay in the order of their checks, which is by name.
    std::ranges::stable_sort(findings, {}, [](const Finding& f) { return std::tie(f.component, f.provider); });
    for (auto first = findings.begin(); first != findings.end();) {
        const auto end = std::find_if(first, findings.end(), [&](const Finding& f) {
            return f.component != first->component || f.provider != first->provider;
        });
        print_group({first, end}, verbose);
        first = end;
    }
    std::cout << to_text(count(findings)) << "\n";
}

void print_json(std::span<const Finding> findings) {
    nlohmann::json list = nlohmann::json::array();
    for (const Finding& finding : findings) {
        list.push_back({{"result", word(finding.result)},
                        {"component", finding.component},
                        {"provider", finding.provider},
                        {"place", finding.place},
                        {"reason", finding.reason}});
    }
    nlohmann::json out{{"findings", std::move(list)}};
    const Counts counts = count(findings);
    for (std::size_t i = 0; i < counts.size(); ++i) {
        out[kWords[i]] = counts[i];
    }
    std::cout << out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
}

}  // namespace

int check(const Arguments& arguments) {
    namespace po = boost::program_options;
    Common common;
    std::vector<std::string> names;
    bool json = false;
    bool verbose = false;
    po::options_description options("options");
    options.add_options()("name", po::value(&names)->value_name("NAME"),
                          "a layer type, a kernel provider, or both; all unless given")("json", po::bool_switch(&json),
                                                                                        "print every finding as JSON")(
        "verbose,v", po::bool_switch(&verbose), "print a line for every check, and why checks were skipped");
    add_common(options, common);
    po::variables_map values;
    if (!parse(arguments, "check", options, values, "name", -1)) {
        return 0;
    }
    const registry::Registry registry = open_registry(common);
    std::vector<Finding> findings = check::check_kernels(registry, names);
    const bool failed = count(findings)[static_cast<std::size_t>(Result::failed)] > 0;
    if (json) {
        print_json(findings);
    } else {
        print(std::move(findings), verbose);
    }
    return static_cast<int>(failed ? Exit::plugin : Exit::ok);
}

}  // namespace sluice::cli
