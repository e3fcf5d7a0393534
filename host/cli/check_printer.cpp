#include "cli/check_printer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/control.hpp"
#include "cli/terminal/progress_line.hpp"

namespace sluice::cli {
namespace {

using check::Finding;
using check::Result;

std::string dump(const nlohmann::json& json) {
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

class TextPrinter final : public CheckPrinter {
public:
    explicit TextPrinter(Detail detail) : detail_(detail) {}
    void begin(std::span<const std::pair<std::string, std::string>> /*checks*/) override {}

    void begin_case(const std::string& component, const std::string& name) override {
        progress_.show(fmt::format("{}: {}", component, name));
    }

    void add(const Finding& finding) override {
        const bool was_run = !finding.skipped_by_earlier_case;
        if (detail_ == Detail::everything || (detail_ == Detail::findings && was_run)) {
            progress_.show("");
            print(finding);
            std::cout.flush();
        }
    }

    void end_check(std::span<const Finding> findings) override {
        if (findings.empty()) {
            return;
        }
        const CheckCounts counts = count(findings);
        std::string line =
            fmt::format("{:<20} {:<16} {}", findings.front().component, findings.front().provider, to_text(counts));
        // If all checks or all remaining checks were skipped, the line gives the reason.
        const bool all_skipped = counts[static_cast<std::size_t>(Result::skipped)] == findings.size();
        const bool was_stopped = findings.back().result == Result::skipped && findings.back().skipped_by_earlier_case;
        if ((all_skipped || was_stopped) && detail_ != Detail::everything) {
            line += ": " + shown_lines((all_skipped ? findings.front() : findings.back()).reason);
        }
        progress_.show("");
        std::cout << line << "\n";
        for (const Finding& finding : findings) {
            if (detail_ == Detail::faults && is_fault_or_warning(finding)) {
                print(finding);
            }
        }
        std::cout.flush();
    }

    void end(const CheckCounts& counts) override { std::cout << to_text(counts) << "\n"; }

private:
    static bool is_fault_or_warning(const Finding& finding) {
        return check::is_fault(finding.result) || finding.result == Result::warned;
    }
    void print(const Finding& finding) const {
        const bool is_verbose = detail_ == Detail::everything;
        const std::string time =
            is_verbose && finding.seconds > 0.0 ? fmt::format(" ({:.2f} s)", finding.seconds) : std::string();
        const std::string reason = is_verbose || is_fault_or_warning(finding) ? finding.reason : std::string();
        std::cout << fmt::format("    {:<7} {}{}{}{}\n", word(finding.result), finding.place, time,
                                 reason.empty() ? "" : ": ", shown_lines(reason));
    }

    Detail detail_;
    ProgressLine progress_;
};

class JsonPrinter final : public CheckPrinter {
public:
    explicit JsonPrinter(const CheckWords& words) : words_(words) {}

    void begin(std::span<const std::pair<std::string, std::string>> checks) override {
        const std::vector<std::pair<std::string, std::string>> list(checks.begin(), checks.end());
        std::cout << "{\"checks\": " << dump(list) << ",\n\"findings\": [" << std::flush;
    }

    void begin_case(const std::string& /*component*/, const std::string& /*name*/) override {}

    void add(const Finding& finding) override {
        nlohmann::json json{{"result", word(finding.result)},
                            {"component", finding.component},
                            {words_.provider, finding.provider},
                            {words_.place, finding.place},
                            {"reason", finding.reason}};
        if (finding.seconds > 0.0) {
            json["seconds"] = finding.seconds;
        }
        std::cout << (is_first_ ? "\n" : ",\n") << dump(json) << std::flush;
        is_first_ = false;
    }

    void end_check(std::span<const Finding> /*findings*/) override {}

    void end(const CheckCounts& counts) override {
        std::cout << "\n]";
        for (std::size_t i = 0; i < counts.size(); ++i) {
            std::cout << fmt::format(", \"{}\": {}", word(static_cast<Result>(i)), counts[i]);
        }
        std::cout << "}\n";
    }

private:
    CheckWords words_;
    bool is_first_ = true;
};

}  // namespace

CheckCounts count(std::span<const Finding> findings) {
    CheckCounts counts{};
    for (const Finding& finding : findings) {
        ++counts[static_cast<std::size_t>(finding.result)];
    }
    return counts;
}

std::string to_text(const CheckCounts& counts) {
    std::string text;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (counts[i] > 0) {
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", counts[i], word(static_cast<Result>(i)));
        }
    }
    return text.empty() ? "nothing to check" : text;
}

std::unique_ptr<CheckPrinter> print_text(Detail detail) { return std::make_unique<TextPrinter>(detail); }

std::unique_ptr<CheckPrinter> print_json(const CheckWords& words) { return std::make_unique<JsonPrinter>(words); }

}  // namespace sluice::cli
