// Reads values that are more than a TOML type: shares, lengths of a run, names of monitored values.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "base/text/nearest.hpp"
#include "config/read.hpp"

namespace sluice::config {
namespace {

// Splits "5 %" or "200 steps" into its number and its unit; false if it does not begin with a number.
template <class Number>
bool split_unit(std::string_view text, Number& number, std::string_view& unit) {
    const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (bad != std::errc{}) {
        return false;
    }
    unit = text.substr(static_cast<std::size_t>(end - text.data()));
    unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
    return true;
}

std::optional<Interval> parse_interval(std::string_view text) {
    Interval interval;
    std::string_view unit;
    if (!split_unit(text, interval.count, unit) || interval.count < 1) {
        return {};
    }
    interval.epochs = unit == "epoch" || unit == "epochs";
    return interval.epochs || unit == "step" || unit == "steps" ? std::optional(interval) : std::nullopt;
}

}  // namespace

void check_monitored(const TableReader& table, const std::string& key, const std::string& monitor,
                     const PipelineSpec& spec) {
    std::vector<std::string> watched = {"loss"};
    for (const ComponentSpec& metric : spec.metrics) {
        watched.push_back(metric.use);
    }
    if (std::find(watched.begin(), watched.end(), monitor) == watched.end()) {
        fail(table.origin_of(key), fmt::format("{} is \"{}\", which this pipeline does not measure{}",
                                               table.path_of(key), monitor, suggestion(monitor, watched)));
    }
}

double read_share(TableReader& table, const std::string& key, double fallback) {
    const Range range{0.0, 1.0};
    table.describe_key(key, {.kind = Key::Kind::share, .fallback = Value{fallback, {}}});
    if (!table.has(key)) {
        return table.number(key, range, fallback);
    }
    const Value& value = *table.maybe(key);
    const std::string* text = value.as_string();
    if (text == nullptr && value.as_int() == nullptr && value.as_float() == nullptr) {
        fail_needed(table.path_of(key), value, "a share like \"5 %\" or 0.05");
    }
    if (text == nullptr) {
        return read_number(table.path_of(key), value, range);
    }
    double percent = 0.0;
    std::string_view unit;
    if (!split_unit(*text, percent, unit) || unit != "%" || !(percent >= 0.0 && percent <= 100.0)) {
        fail(value.origin, fmt::format("{} is {}; a share from \"0 %\" to \"100 %\", or from 0 to 1, is needed",
                                       table.path_of(key), to_toml(value)));
    }
    return percent / 100.0;
}

Interval read_interval(TableReader& table, const std::string& key, const std::string& fallback) {
    table.describe_key(key, {.kind = Key::Kind::length, .fallback = Value{fallback, {}}});
    const std::string text = table.text(key, fallback);
    const std::optional<Interval> interval = parse_interval(text);
    if (!interval) {
        fail(table.origin_of(key), fmt::format("{} is \"{}\"; a length like \"1 epoch\" or \"200 steps\" is needed",
                                               table.path_of(key), text));
    }
    return *interval;
}

}  // namespace sluice::config
