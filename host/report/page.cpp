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

Json cell_json(const Cell& cell) {
    return std::holds_alternative<double>(cell) ? number_json(std::get<double>(cell))
                                                : Json(std::get<std::string>(cell));
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
    return {{"title", table.title}, {"columns", columns}, {"rows", rows}};
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
              {"facts", Json::array()},
              {"sections", Json::array()}};
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
