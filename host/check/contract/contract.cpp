#include "check/contract/contract.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/program_name.hpp"
#include "base/temporary_folder.hpp"
#include "base/text/nearest.hpp"
#include "call_checks/breach_report.hpp"
#include "call_checks/rules.hpp"
#include "check/isolation/isolated.hpp"
#include "check/isolation/thread_shortage.hpp"

namespace sluice::check {
namespace {

namespace fs = std::filesystem;

// Hung cases of a component, after which its other cases are skipped: each uses up its time limit.
constexpr int kMostHung = 2;

// Collects what a process prints, in memory, so that no file can be left behind.
class Output {
public:
    Output() : file_(::memfd_create("output of a case", MFD_CLOEXEC)) {}
    ~Output() { ::close(file_); }
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;

    // Redirects stdout and stderr. Call it in the child.
    void catch_all() const {
        ::fcntl(file_, F_SETFL, O_APPEND);
        ::dup2(file_, STDOUT_FILENO);
        ::dup2(file_, STDERR_FILENO);
    }
    [[nodiscard]] std::string last_line() const {
        std::string text(200, '\0');
        const off_t size = ::lseek(file_, 0, SEEK_END);
        const ssize_t got = ::pread(file_, text.data(), text.size(), std::max<off_t>(size - 200, 0));
        text.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
        text.erase(text.find_last_not_of(" \n") + 1);
        return text.substr(text.rfind('\n') + 1);
    }

    // True if the first 64 KiB of the output contain `words`.
    [[nodiscard]] bool has(std::string_view words) const {
        std::string text(1 << 16, '\0');
        const ssize_t got = ::pread(file_, text.data(), text.size(), 0);
        text.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
        return text.find(words) != std::string::npos;
    }

private:
    int file_;
};

Finding found(const registry::ComponentManifest& component, const Case& one, Result result, std::string reason) {
    return {.result = result,
            .component = component.provides,
            .provider = std::string(registry::to_string(component.kind)),
            .place = one.name,
            .reason = std::move(reason)};
}

using End = std::function<Finding(Result, const std::string&)>;

Finding try_case(const Case& one, Trial& trial, const End& end) {
    try {
        one.run(trial);
        return trial.warnings().empty() ? end(Result::passed, trial.note())
                                        : end(Result::warned, fmt::format("{}", fmt::join(trial.warnings(), "; ")));
    } catch (const CaseSkipped& why) {
        return end(Result::skipped, why.what());
    } catch (const std::exception& error) {
        return end(Result::failed, reason_of(error));
    }
}

// Runs the case on one setup, in the child.
Finding run_on(const registry::Registry& registry, const registry::ComponentManifest& component, const Setup& setup,
               const Case& one, const Trial::CaseSettings& case_settings, Report& report) {
    const std::string with = setup.name.empty() ? "" : setup.name + ": ";
    const End end = [&](Result result, const std::string& reason) {
        return found(component, one, result, reason.empty() ? reason : with + reason);
    };
    const auto notify = [&](const std::string& what) {
        report.begin(found(component, one, Result::crashed, with + what));
    };
    notify("");
    Finding finding;
    try {
        Trial trial(registry, component, cases_of(component.kind).objects, setup, case_settings, notify);
        finding = try_case(one, trial, end);
    } catch (const std::exception& error) {
        finding = end(Result::failed, reason_of(error));
    }
    // A broken rule of a call is reported first, because other errors may follow from it.
    if (const auto breach = call_checks::take_breach()) {
        return end(breach->rule == call_checks::Rule::no_reason ? Result::warned : Result::failed, breach->text);
    }
    return finding;
}

// Runs the case on all setups, in the child. Returns the most severe finding: failed before warned before passed.
Finding run_on_all(const registry::Registry& registry, const registry::ComponentManifest& component,
                   std::span<const Setup> setups, const Case& one, const Trial::CaseSettings& case_settings,
                   Report& report) {
    std::vector<Finding> findings;
    for (const Setup& setup : setups) {
        findings.push_back(run_on(registry, component, setup, one, case_settings, report));
    }
    for (const Result result : {Result::failed, Result::warned, Result::passed}) {
        const auto first = std::ranges::find(findings, result, &Finding::result);
        if (first != findings.end()) {
            return *first;
        }
    }
    return findings.front();
}

Finding run_case(const registry::Registry& registry, const registry::ComponentManifest& component,
                 std::span<const Setup> setups, const Case& one, const CheckSettings& settings) {
    const TemporaryFolder folder(fs::temp_directory_path(), "sluice_check_");
    const Output output;
    const Trial::CaseSettings case_settings{settings.seed, settings.limit, settings.threads, folder.path()};
    const auto begin = std::chrono::steady_clock::now();
    Finding finding;
    forget_thread_shortage();
    run_isolated(
        found(component, one, Result::crashed, ""),
        {.limit = settings.limit * one.limit_factor, .hint = "", .exits = one.exits},
        [&](Report& report) {
            output.catch_all();
            log::set_level(log::Level::error);
            report.add(run_on_all(registry, component, setups, one, case_settings, report));
        },
        [&](const Finding& now) { finding = now; });
    // Rust's collections abort the process if an allocation fails, and plugins cannot prevent that.
    if (finding.result == Result::crashed && output.has("memory allocation of ") &&
        std::string_view(one.name) == "objects.no_memory") {
        finding.result = Result::warned;
        finding.reason =
            "aborts the process if memory is short, as Rust's collections do; try_reserve() returns an error instead";
    } else if (const std::string line = output.last_line(); finding.result == Result::crashed && !line.empty()) {
        finding.reason += fmt::format("; it printed '{}'", line);
    }
    finding.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return skip_if_threads_lacked(std::move(finding));
}

}  // namespace

std::vector<const Case*> list_cases(registry::Kind kind) {
    std::vector<const Case*> all;
    for (const auto& cases : {loading_cases(), option_cases(), object_cases(), cases_of(kind).cases}) {
        for (const Case& one : cases) {
            all.push_back(&one);
        }
    }
    return all;
}

void expect_case(const std::string& name) {
    std::vector<std::string> known;
    for (int kind = 0; kind <= static_cast<int>(registry::Kind::observer); ++kind) {
        for (const Case* one : list_cases(static_cast<registry::Kind>(kind))) {
            known.emplace_back(one->name);
        }
    }
    if (std::ranges::count(known, name) == 0) {
        throw Error(Exit::config, fmt::format("there is no case '{}'{}; {} lists all", name, suggestion(name, known),
                                              typed("check --list")));
    }
}

void check_contract(const registry::Registry& registry, const registry::ComponentManifest& component,
                    const CheckSettings& settings, const std::function<void(const Finding&)>& notify) {
    const Value* given = settings.options.find(component.provides);
    const bool is_given = given != nullptr && given->as_table() != nullptr;
    const std::vector<Setup> setups = make_setups(component, is_given ? *given->as_table() : Table());
    std::string stopped;  // why the remaining cases are skipped; empty: they run
    int hung = 0;
    for (const Case* one : list_cases(component.kind)) {
        if (!settings.only.empty() && settings.only != one->name) {
            continue;
        }
        if (!stopped.empty()) {
            Finding skipped = found(component, *one, Result::skipped, stopped);
            skipped.skipped_by_earlier_case = true;
            notify(skipped);
            continue;
        }
        if (settings.begin) {
            settings.begin(one->name);
        }
        const Finding finding = run_case(registry, component, setups, *one, settings);
        notify(finding);
        hung += finding.seconds >= settings.limit.count() * one->limit_factor ? 1 : 0;
        if (one->is_needed && (is_fault(finding.result) || finding.result == Result::skipped)) {
            stopped = fmt::format("not run because '{}' did not pass: {}", one->name, finding.reason);
        } else if (hung == kMostHung) {
            stopped = fmt::format("not run: {} cases hang, the last one is '{}'; --case NAME runs a single case", hung,
                                  one->name);
        }
    }
}

}  // namespace sluice::check
