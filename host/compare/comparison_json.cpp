#include "compare/comparison_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace sluice::compare {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json interval_json(const Interval& interval, bool is_known) {
    return {{"value", number(interval.value)},
            {"low", is_known ? number(interval.low) : Json(nullptr)},
            {"high", is_known ? number(interval.high) : Json(nullptr)}};
}

Json figure_json(const Figure& figure) {
    Json runs = Json::array();
    for (const Estimate& estimate : figure.runs) {
        runs.push_back(interval_json(interval_of(estimate), estimate.has_error()));
    }
    return {{"name", figure.name}, {"title", figure.title}, {"unit", figure.unit}, {"runs", runs}};
}

Json change_json(const Figure& figure, const Change& change) {
    const bool is_known = change.contrast.difference.low < change.contrast.difference.high;
    return {{"figure", figure.name},
            {"difference", interval_json(change.contrast.difference, is_known)},
            {"ratio", interval_json(change.contrast.ratio, is_known)},
            {"beyond_noise", change.is_real}};
}

}  // namespace

std::string to_json(const Comparison& comparison) {
    Json json{
        {"runs", Json::array()}, {"settings", Json::array()}, {"figures", Json::array()}, {"others", Json::array()}};
    for (std::size_t run = 0; run < comparison.names.size(); ++run) {
        json["runs"].push_back(
            {{"name", comparison.names[run]}, {"folder", comparison.folders[run]}, {"state", comparison.states[run]}});
    }
    for (const SettingDifference& setting : comparison.settings) {
        Json values = Json::array();
        for (const std::optional<std::string>& value : setting.values) {
            values.push_back(value ? Json(*value) : Json(nullptr));
        }
        json["settings"].push_back({{"key", setting.key}, {"values", values}});
    }
    for (const Figure& figure : comparison.figures) {
        json["figures"].push_back(figure_json(figure));
    }
    for (const Against& other : comparison.others) {
        Json changes = Json::array();
        for (const Change& change : other.changes) {
            changes.push_back(change_json(comparison.figures[change.figure], change));
        }
        json["others"].push_back(
            {{"run", comparison.names[other.run]}, {"verdict", other.verdict}, {"changes", changes}});
    }
    return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace sluice::compare
