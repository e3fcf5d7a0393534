#include "serve/site.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <new>
#include <optional>
#include <string_view>
#include <vector>

#include "base/control.hpp"
#include "base/error.hpp"
#include "base/text/duration.hpp"
#include "compare/comparison.hpp"
#include "compare/comparison_page.hpp"
#include "history/advice.hpp"
#include "history/run_lock.hpp"
#include "report/assets.hpp"
#include "report/run_page.hpp"

namespace sluice::serve {
namespace {

namespace fs = std::filesystem;
using history::RunSummary;
using report::Cell;

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr const char* kJson = "application/json";
constexpr std::size_t kMostCompared = 26;
constexpr std::size_t kMostPictures = 8;

Response refused(int status, const std::string& why) {
    return {.status = status, .body = fmt::format("{}: {}\n", status, why)};
}

Response html(const std::string& title, const std::string& source) {
    return {.type = "text/html; charset=utf-8", .body = report::to_live_html(title, source)};
}

Response data(const report::Page& page) { return {.type = kJson, .body = report::to_json(page)}; }

Response asset(std::string_view type, std::string_view bytes) {
    return {.type = std::string(type), .body = std::string(bytes)};
}

std::string run_address(const std::string& name) { return "/run?name=" + encoded(name); }

std::string query_of(const std::vector<std::string>& runs) {
    std::string query;
    for (const std::string& run : runs) {
        query += (query.empty() ? "?run=" : "&run=") + encoded(run);
    }
    return query;
}

std::vector<Cell> row_of(const RunSummary& run) {
    const report::Link link{.text = run.name, .target = run_address(run.name)};
    if (!run.problem.empty()) {
        return {link, run.problem, kUnknown, "", kUnknown, "", kUnknown, "", ""};
    }
    const double progress = run.last_step > 0
                                ? std::min(1.0, static_cast<double>(run.step) / static_cast<double>(run.last_step))
                                : kUnknown;
    return {link,
            name_of(run.state),
            progress,
            run.epochs > 0 ? fmt::format("{}/{}", run.epoch, run.epochs) : "",
            run.loss,
            run.best ? fmt::format("{} {:.4g} at {}", run.best->name, run.best->value, run.best->step) : "",
            report::unless_zero(run.samples_per_second),
            run.limit,
            std::isfinite(run.age) ? format_duration(run.age) : ""};
}

std::string version_of(const std::string& body) { return fmt::format("\"{:016x}\"", std::hash<std::string>{}(body)); }

}  // namespace

Site::Site(const fs::path& folder) : folder_(folder), summaries_(folder), runs_(folder) {}

Response Site::respond(const Request& request) {
    Response response;
    try {
        const std::optional<Target> target = parse_target(request.target);
        response = target ? respond_to(*target) : refused(400, "the address is damaged");
    } catch (const std::bad_alloc&) {
        response = refused(503, "there is not enough memory");
    } catch (const Error& error) {
        response = refused(404, error.what());
    } catch (const std::exception& error) {
        response = refused(500, error.what());
    }
    if (response.status == 200) {
        const std::string version = version_of(response.body);
        response.fields.emplace_back("ETag", version);
        if (request.known == version) {
            response.status = 304;
            response.body.clear();
        }
    }
    return response;
}

Response Site::respond_to(const Target& target) {
    const std::string& path = target.path;
    if (path == "/") {
        return html("Runs", "/data/runs");
    }
    if (path == "/run") {
        const std::string name = target.parameter("name");
        return html(shown(name), "/data/run?name=" + encoded(name));
    }
    if (path == "/compare") {
        return html("Comparison of runs", "/data/compare" + query_of(target.parameters_named("run")));
    }
    if (path == "/data/runs") {
        return data(list_page());
    }
    if (path == "/data/run") {
        return run_data(target);
    }
    if (path == "/data/compare") {
        return comparison_data(target);
    }
    if (path == "/picture") {
        return picture(target);
    }
    if (path == "/page.js") {
        return asset("text/javascript; charset=utf-8", report::assets::script());
    }
    if (path == "/chart.js") {
        return asset("text/javascript; charset=utf-8", report::assets::chart_library());
    }
    if (path == "/style.css") {
        return asset("text/css; charset=utf-8", report::assets::style());
    }
    return refused(404, "there is no such page; / lists the runs");
}

report::Page Site::list_page() {
    const std::vector<RunSummary> runs = summaries_.list();
    report::Page page{.title = "Runs in " + folder_.string(), .next = history::advice_on(runs), .progress = kUnknown};
    report::Table table{.title = "Runs",
                        .columns = {{"run", ""},
                                    {"state", ""},
                                    {"progress", "share"},
                                    {"epoch", ""},
                                    {"loss", ""},
                                    {"best", ""},
                                    {"speed", "samples/s"},
                                    {"limit", ""},
                                    {"last event", ""}},
                        .choice = {.action = "/compare", .parameter = "run", .button = "Compare the chosen runs"}};
    for (const RunSummary& run : runs) {
        table.rows.push_back(row_of(run));
        table.choice.values.push_back(encoded(run.name));
    }
    const auto is_alive = [](const RunSummary& run) {
        return run.state == history::RunState::running || run.state == history::RunState::starting;
    };
    page.state = std::ranges::any_of(runs, is_alive) ? "running" : "";
    page.facts = {{"runs", std::to_string(runs.size())},
                  {"running", std::to_string(std::ranges::count_if(runs, is_alive))}};
    page.sections.push_back({.title = "All runs",
                             .note = runs.empty() ? "There is no run in this folder yet." : "",
                             .tables = {std::move(table)}});
    return page;
}

Response Site::run_data(const Target& target) {
    const std::string name = target.parameter("name");
    const RunCache::Entry* const run = runs_.find(name);
    if (run == nullptr) {
        return refused(404, fmt::format("there is no run '{}'", shown(name)));
    }
    const bool is_alive = history::is_alive(run->record.folder());
    if (run_page_.name == name && run_page_.version == run->version && run_page_.is_alive == is_alive) {
        return {.type = kJson, .body = run_page_.json};
    }
    report::Page page = report::run_page(run->record);
    page.links = {{.text = "All runs", .target = "/"}};
    report::Section pictures{.title = "Pictures"};
    for (const std::string& sheet : report::chosen_pictures(run->record.history().pictures(), kMostPictures)) {
        pictures.pictures.push_back(
            {.title = sheet, .source = fmt::format("/picture?run={}&name={}", encoded(name), encoded(sheet))});
    }
    page.sections.insert(page.sections.begin() + 1, std::move(pictures));
    run_page_ = {.name = name, .version = run->version, .is_alive = is_alive, .json = report::to_json(page)};
    return {.type = kJson, .body = run_page_.json};
}

Response Site::comparison_data(const Target& target) {
    const std::vector<std::string> names = target.parameters_named("run");
    if (names.size() < 2 || names.size() > kMostCompared) {
        return refused(400, fmt::format("{} runs are chosen; choose 2 to {}", names.size(), kMostCompared));
    }
    compare::Runs runs;
    for (const std::string& name : names) {
        const RunCache::Entry* const run = runs_.find(name);
        if (run == nullptr) {
            return refused(404, fmt::format("there is no run '{}'", shown(name)));
        }
        runs.push_back(&run->record);
    }
    report::Page page = compare::comparison_page(compare::compare(runs), runs);
    page.links = {{.text = "All runs", .target = "/"}};
    for (const std::string& name : names) {
        page.links.push_back({.text = name, .target = run_address(name)});
    }
    return data(page);
}

Response Site::picture(const Target& target) {
    const RunCache::Entry* const run = runs_.find(target.parameter("run"));
    const std::string name = target.parameter("name");
    // Only names that the events of the run have are right, if they are no paths.
    const std::vector<std::string> names =
        run == nullptr ? std::vector<std::string>() : run->record.history().pictures();
    if (name.find('/') != std::string::npos || std::ranges::find(names, name) == names.end()) {
        return refused(404, "there is no such picture");
    }
    std::optional<std::string> bytes = report::read_picture(run->record.folder(), name);
    return bytes ? Response{.type = "image/png", .body = std::move(*bytes)} : refused(404, "the picture is not there");
}

}  // namespace sluice::serve
