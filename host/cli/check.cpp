#include "check/check_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

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

nlohmann::json json_of(const Finding& finding) {
    return {{"result", word(finding.result)},
            {"component", finding.component},
            {"provider", finding.provider},
            {"place", finding.place},
            {"reason", finding.reason}};
}

std::string dump(const nlohmann::json& json) {
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// Prints what is found while the checks go on: a run that is cut has told what it saw.
class Printer {
public:
    virtual ~Printer() = default;
    virtual void begin(std::span<const check::Pair> pairs) = 0;
    virtual void add(const Finding& finding) = 0;
    virtual void end_pair(std::span<const Finding> findings) = 0;
    virtual void end(const Counts& counts) = 0;
};

// For each pair a line, and below it what is worth saying.
class TextPrinter final : public Printer {
public:
    explicit TextPrinter(bool verbose) : verbose_(verbose) {}
    void begin(std::span<const check::Pair> /*pairs*/) override {}
    void add(const Finding& /*finding*/) override {}

    void end_pair(std::span<const Finding> findings) override {
        if (findings.empty()) {
            return;
        }
        const Counts counts = count(findings);
        std::string line =
            fmt::format("{:<20} {:<16} {}", findings.front().component, findings.front().provider, to_text(counts));
        const bool all_skipped = counts[static_cast<std::size_t>(Result::skipped)] == findings.size();
        if (all_skipped && !verbose_) {
            line += ": " + findings.front().reason;
        }
        std::cout << line << "\n";
        for (const Finding& finding : findings) {
            if (verbose_ || finding.result == Result::failed) {
                std::cout << fmt::format("    {:<7} {}{}{}\n", word(finding.result), finding.place,
                                         finding.reason.empty() ? "" : ": ", finding.reason);
            }
        }
        std::cout.flush();
    }

    void end(const Counts& counts) override { std::cout << to_text(counts) << "\n"; }

private:
    bool verbose_;
};

// One object: what is checked, each finding on a line of its own, and how many of each result. Of a run that was cut,
// the lines can be read one by one.
class JsonPrinter final : public Printer {
public:
    void begin(std::span<const check::Pair> pairs) override {
        nlohmann::json list = nlohmann::json::array();
        for (const check::Pair& pair : pairs) {
            list.push_back({pair.layer->provides, pair.kernels != nullptr ? pair.kernels->provides : "-"});
        }
        std::cout << "{\"checks\": " << dump(list) << ",\n\"findings\": [" << std::flush;
    }

    void add(const Finding& finding) override {
        std::cout << (is_first_ ? "\n" : ",\n") << dump(json_of(finding)) << std::flush;
        is_first_ = false;
    }

    void end_pair(std::span<const Finding> /*findings*/) override {}

    void end(const Counts& counts) override {
        std::cout << "\n]";
        for (std::size_t i = 0; i < counts.size(); ++i) {
            std::cout << fmt::format(", \"{}\": {}", kWords[i], counts[i]);
        }
        std::cout << "}\n";
    }

private:
    bool is_first_ = true;
};

std::unique_ptr<Printer> make_printer(bool json, bool verbose) {
    if (json) {
        return std::make_unique<JsonPrinter>();
    }
    return std::make_unique<TextPrinter>(verbose);
}

Counts check_all(const registry::Registry& registry, const std::vector<std::string>& names, Printer& printer) {
    const std::vector<check::Pair> pairs = check::list_pairs(registry, names);
    Counts total{};
    printer.begin(pairs);
    for (const check::Pair& pair : pairs) {
        std::vector<Finding> findings;
        check::check_pair(registry, pair, [&](const Finding& finding) {
            printer.add(finding);
            findings.push_back(finding);
        });
        printer.end_pair(findings);
        std::ranges::transform(total, count(findings), total.begin(), std::plus<>());
    }
    printer.end(total);
    return total;
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
    const Counts counts = check_all(registry, names, *make_printer(json, verbose));
    const bool failed = counts[static_cast<std::size_t>(Result::failed)] > 0;
    return static_cast<int>(failed ? Exit::plugin : Exit::ok);
}

}  // namespace sluice::cli
