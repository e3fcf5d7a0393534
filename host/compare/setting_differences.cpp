#include "compare/setting_differences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.hpp"
#include "base/toml/toml.hpp"
#include "history/run_file.hpp"

namespace sluice::compare {
namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;  // keys with their values as text

bool has_tables(const Array& array) {
    return std::ranges::any_of(array, [](const Value& item) { return item.as_table() != nullptr; });
}

void flatten(const std::string& key, const Value& value, Settings& settings) {
    if (const Table* const table = value.as_table()) {
        for (const auto& [name, inner] : table->entries()) {
            flatten(key.empty() ? name : key + "." + name, inner, settings);
        }
        return;
    }
    const Array* const array = value.as_array();
    if (array == nullptr || !has_tables(*array)) {
        settings.emplace_back(key, to_toml(value));
        return;
    }
    for (std::size_t i = 0; i < array->size(); ++i) {
        flatten(fmt::format("{}[{}]", key, i), (*array)[i], settings);
    }
}

std::string text_of(const history::RunRecord& run, const std::string& name) {
    std::optional<std::string> text = history::read_run_file(run.folder(), name);
    if (!text) {
        throw Error(Exit::config, fmt::format("{} is missing", name));
    }
    return std::move(*text);
}

// A file that cannot be read is itself a setting, whose value is the reason.
Settings pipeline_of(const history::RunRecord& run) {
    Settings settings;
    try {
        Value root;
        root.data = parse_toml(text_of(run, "resolved.toml"), (run.folder() / "resolved.toml").string());
        flatten("", root, settings);
    } catch (const Error& error) {
        settings.emplace_back("resolved.toml", error.what());
    }
    return settings;
}

Settings environment_of(const history::RunRecord& run) {
    Settings settings;
    try {
        const nlohmann::ordered_json root = nlohmann::ordered_json::parse(text_of(run, "environment.json"));
        for (const auto& [name, value] : root.items()) {
            if (name != "started" && name != "available_memory_bytes") {  // these differ from run to run
                settings.emplace_back("environment." + name,
                                      value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
            }
        }
    } catch (const Error& error) {
        settings.emplace_back("environment.json", error.what());
    } catch (const nlohmann::ordered_json::exception& error) {
        settings.emplace_back("environment.json", error.what());
    }
    return settings;
}

void add_differences(const std::vector<Settings>& runs, std::vector<SettingDifference>& differences) {
    std::vector<std::string> keys;
    std::map<std::string, std::vector<std::optional<std::string>>> values;
    for (std::size_t run = 0; run < runs.size(); ++run) {
        for (const auto& [key, value] : runs[run]) {
            const auto [place, is_new] = values.try_emplace(key, runs.size());
            if (is_new) {
                keys.push_back(key);
            }
            place->second[run] = value;
        }
    }
    for (const std::string& key : keys) {
        const std::vector<std::optional<std::string>>& of_key = values[key];
        if (std::ranges::any_of(of_key, [&](const auto& value) { return value != of_key.front(); })) {
            differences.push_back({.key = key, .values = of_key});
        }
    }
}

}  // namespace

std::vector<SettingDifference> setting_differences(const Runs& runs) {
    std::vector<SettingDifference> differences;
    for (const auto read : {pipeline_of, environment_of}) {
        std::vector<Settings> settings;
        std::ranges::transform(runs, std::back_inserter(settings),
                               [&](const history::RunRecord* run) { return read(*run); });
        add_differences(settings, differences);
    }
    return differences;
}

}  // namespace sluice::compare
