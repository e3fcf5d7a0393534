// The pipeline of a run, read from resolved.toml.
#include "settings/resolved_pipeline.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <string_view>

#include "files/output_file.hpp"
#include "sluice/sdk/guard.hpp"

namespace sluice::observers {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kComparedTables[] = {"train", "optimizer", "schedule", "precision", "strategy"};

Json json_of(const toml::node& node) {
    if (const toml::table* table = node.as_table()) {
        Json object = Json::object();
        for (const auto& [key, value] : *table) {
            object[std::string(key.str())] = json_of(value);
        }
        return object;
    }
    if (const toml::array* array = node.as_array()) {
        Json list = Json::array();
        for (const toml::node& value : *array) {
            list.push_back(json_of(value));
        }
        return list;
    }
    if (const auto* text = node.as_string()) {
        return text->get();
    }
    if (const auto* number = node.as_integer()) {
        return number->get();
    }
    if (const auto* number = node.as_floating_point()) {
        return number->get();
    }
    if (const auto* flag = node.as_boolean()) {
        return flag->get();
    }
    return nullptr;  // dates and times, which no key of a pipeline has
}

void add_plain(const std::string& name, const Json& value, std::vector<std::pair<std::string, Json>>& to) {
    if (value.is_object()) {
        for (const auto& [key, inner] : value.items()) {
            add_plain(name + "." + key, inner, to);
        }
    } else if (value.is_number() || value.is_string() || value.is_boolean()) {
        to.emplace_back(name, value);
    }
}

}  // namespace

ResolvedPipeline read_resolved(const std::filesystem::path& folder) {
    const std::filesystem::path file = folder / "resolved.toml";
    ResolvedPipeline pipeline{read_file(file), Json::object()};
    try {
        pipeline.values = json_of(toml::parse(pipeline.text));
    } catch (const toml::parse_error& error) {
        throw sdk::Failure(SLUICE_FAILED, file.string() + ":" + std::to_string(error.source().begin.line) + ": " +
                                              std::string(error.description()));
    }
    return pipeline;
}

std::vector<std::pair<std::string, Json>> compared_values(const Json& pipeline) {
    std::vector<std::pair<std::string, Json>> compared;
    for (const auto& [key, value] : pipeline.items()) {
        const bool is_table =
            std::find(std::begin(kComparedTables), std::end(kComparedTables), key) != std::end(kComparedTables);
        if (is_table || (!value.is_object() && key != "version")) {
            add_plain(key, value, compared);
        } else if (key == "data" && value.contains("batch")) {
            add_plain("data.batch", value["batch"], compared);
        }
    }
    return compared;
}

}  // namespace sluice::observers
