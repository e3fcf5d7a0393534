#include "report/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/assets.hpp"

namespace sluice::report {
namespace {

using Json = nlohmann::ordered_json;

Json number_json(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json numbers_json(const std::vector<double>& values) {
    Json list = Json::array();
    std::ranges::transform(values, std::back_inserter(list), number_json);
    return list;
}

Json chart_json(const Chart& chart) {
    Json lines = Json::array();
    for (const Line& line : chart.lines) {
        lines.push_back({{"name", line.name}, {"x", numbers_json(line.x)}, {"y", numbers_json(line.y)}});
    }
    return {{"title", chart.title}, {"x", chart.x}, {"y", chart.y}, {"stacked", chart.is_stacked}, {"lines", lines}};
}

Json link_json(const Link& link) { return {{"text", link.text}, {"target", link.target}}; }

Json cell_json(const Cell& cell) {
    if (const double* const value = std::get_if<double>(&cell)) {
        return number_json(*value);
    }
    if (const Link* const link = std::get_if<Link>(&cell)) {
        return link_json(*link);
    }
    return std::get<std::string>(cell);
}

Json table_json(const Table& table) {
    Json columns = Json::array();
    for (const Column& column : table.columns) {
        columns.push_back({{"name", column.name}, {"unit", column.unit}});
    }
    Json rows = Json::array();
    for (const std::vector<Cell>& row : table.rows) {
        Json cells = Json::array();
        std::ranges::transform(row, std::back_inserter(cells), cell_json);
        rows.push_back(std::move(cells));
    }
    Json json{{"title", table.title}, {"columns", columns}, {"rows", rows}};
    if (!table.choice.values.empty()) {
        json["choice"] = {{"action", table.choice.action},
                          {"parameter", table.choice.parameter},
                          {"button", table.choice.button},
                          {"values", table.choice.values}};
    }
    return json;
}

Json section_json(const Section& section) {
    Json json{{"title", section.title},  {"note", section.note},      {"charts", Json::array()},
              {"tables", Json::array()}, {"pictures", Json::array()}, {"text", section.text}};
    std::ranges::transform(section.charts, std::back_inserter(json["charts"]), chart_json);
    std::ranges::transform(section.tables, std::back_inserter(json["tables"]), table_json);
    for (const Picture& picture : section.pictures) {
        json["pictures"].push_back({{"title", picture.title}, {"source", picture.source}});
    }
    return json;
}

// Replaces what would end a script element or begin a comment in it.
std::string inside_script(const std::string& json) {
    std::string text;
    text.reserve(json.size());
    for (const char byte : json) {
        if (byte == '<') {
            text += "\\u003c";
        } else {
            text += byte;
        }
    }
    return text;
}

std::string escaped(std::string_view text) {
    std::string html;
    for (const char byte : text) {
        switch (byte) {
            case '<':
                html += "&lt;";
                break;
            case '>':
                html += "&gt;";
                break;
            case '&':
                html += "&amp;";
                break;
            case '"':
                html += "&quot;";
                break;
            default:
                html += byte;
        }
    }
    return html;
}

}  // namespace

std::string to_json(const Page& page) {
    Json json{{"title", page.title},
              {"state", page.state},
              {"verdict", page.verdict},
              {"next", page.next},
              {"progress", number_json(page.progress)},
              {"links", Json::array()},
              {"facts", Json::array()},
              {"sections", Json::array()}};
    std::ranges::transform(page.links, std::back_inserter(json["links"]), link_json);
    for (const auto& [name, value] : page.facts) {
        json["facts"].push_back({{"name", name}, {"value", value}});
    }
    for (const Section& section : page.sections) {
        if (!section.is_empty()) {
            json["sections"].push_back(section_json(section));
        }
    }
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string to_live_html(const std::string& title, const std::string& source) {
    return fmt::format(R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{}</title>
<link rel="stylesheet" href="/style.css">
</head>
<body data-source="{}">
<main id="page"><noscript>This page draws its charts by a script, which the browser does not run.</noscript></main>
<script src="/chart.js"></script>
<script src="/page.js"></script>
</body>
</html>
)",
                       escaped(title), escaped(source));
}

std::string to_html(const Page& page) {
    // The policy forbids the page to load anything.
    return fmt::format(R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; script-src 'unsafe-inline'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>{}</title>
<style>{}</style>
</head>
<body>
<main id="page"><noscript>This page draws its charts by a script, which the browser does not run.</noscript></main>
<script type="application/json" id="data">{}</script>
<script>{}</script>
<script>{}</script>
</body>
</html>
)",
                       escaped(page.title), assets::style(), inside_script(to_json(page)), assets::chart_library(),
                       assets::script());
}

}  // namespace sluice::report
