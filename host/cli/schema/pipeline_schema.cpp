#include "cli/schema/pipeline_schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "base/files.hpp"
#include "cli/pages/help_pages.hpp"
#include "cli/schema/key_descriptions.hpp"
#include "config/cache_entry.hpp"
#include "config/keys.hpp"
#include "config/merge.hpp"
#include "data/cache/cache.hpp"
#include "registry/objects/layer.hpp"

namespace sluice::cli {
namespace {

using config::Key;
using Json = nlohmann::ordered_json;

Json json_of(const Value& value) {
    if (const bool* boolean = value.as_bool()) {
        return *boolean;
    }
    if (const std::int64_t* integer = value.as_int()) {
        return *integer;
    }
    if (const double* number = value.as_float()) {
        return *number;
    }
    if (const std::string* text = value.as_string()) {
        return *text;
    }
    Json array = Json::array();
    if (value.as_array() != nullptr) {
        std::ranges::transform(*value.as_array(), std::back_inserter(array), json_of);
    }
    return array;
}

Json integer_or_number(double value) {
    return value == std::floor(value) ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

Json any_of(const Json& first, const Json& second) { return {{"anyOf", Json::array({first, second})}}; }

// The options of layers may be formulas of the model's parameters.
Json or_formula(Json json) {
    Json both = any_of(json, {{"type", "string"}, {"pattern", "^="}});
    both["description"] = json["description"];
    return both;
}

Json option(const registry::OptionSchema& from) {
    static constexpr std::array<const char*, 4> kTypes = {"boolean", "integer", "number", "string"};
    Json item = {{"type", kTypes[static_cast<std::size_t>(from.type)]}};
    if (from.min) {
        item["minimum"] = integer_or_number(*from.min);
    }
    if (from.max) {
        item["maximum"] = integer_or_number(*from.max);
    }
    for (const Value& choice : from.choices) {
        item["enum"].push_back(json_of(choice));
    }
    Json json = from.is_array ? Json{{"type", "array"}, {"items", item}} : item;
    if (from.array_size > 0) {
        json["minItems"] = from.array_size;
        json["maxItems"] = from.array_size;
    }
    json["description"] = from.unit.empty() ? from.help : fmt::format("{} ({})", from.help, from.unit);
    if (from.default_value) {
        json["default"] = json_of(*from.default_value);
    }
    return json;
}

// A component that a pipeline can name. If several devices have one of that name, it has the options of all.
struct Choice {
    std::string about;
    std::optional<std::int32_t> role;  // of a layer that could be opened
    std::map<std::string, const registry::OptionSchema*> options;
};
using Choices = std::map<std::string, Choice>;

Choice& add(Choices& choices, const std::string& name, const std::string& about, const registry::Schema& options) {
    Choice& choice = choices[name];
    choice.about = choice.about.empty() ? about : choice.about;
    for (const registry::OptionSchema& option : options) {
        choice.options.emplace(option.name, &option);
    }
    return choice;
}

// Returns whether it is a layer, a loss or a metric; nothing if it cannot be opened. Only an object knows its role, and
// the options of the first check case are known to work.
std::optional<std::int32_t> role_of(const registry::Registry& registry, const registry::ComponentManifest& layer) {
    try {
        const registry::Component component = registry.open(layer);
        const Table options = layer.checks.empty() ? Table() : layer.checks.front().options;
        return registry::Layer(component, registry.options(component, {layer.provides, {}, options}), layer.provides)
            .traits()
            .role;
    } catch (const Error&) {
        return std::nullopt;
    }
}

// Losses may also be used as metrics.
bool may_stand_at(std::string_view path, const Choice& choice) {
    if (!choice.role) {
        return true;
    }
    return path == "loss"                    ? *choice.role == SLUICE_ROLE_LOSS
           : path.starts_with("metrics.use") ? *choice.role != SLUICE_ROLE_LAYER
                                             : *choice.role == SLUICE_ROLE_LAYER;
}

// Returns the kind of component that a key names.
registry::Kind kind_at(std::string_view path) {
    using registry::Kind;
    static constexpr std::array<std::pair<std::string_view, Kind>, 9> kKinds{{{".source", Kind::source},
                                                                              {".map", Kind::transform},
                                                                              {"optimizer", Kind::optimizer},
                                                                              {"precision", Kind::precision},
                                                                              {"strategy", Kind::strategy},
                                                                              {"device.use", Kind::device},
                                                                              {"device.kernels", Kind::kernel},
                                                                              {"observe.use", Kind::observer},
                                                                              {"", Kind::layer}}};
    path.remove_suffix(path.ends_with(".*") ? 2 : 0);
    return std::ranges::find_if(kKinds, [&](const auto& kind) { return path.ends_with(kind.first); })->second;
}

class Builder {
public:
    explicit Builder(const registry::Registry& registry) : keys_(config::list_keys()), cache_(data::cache_schema()) {
        if (const auto page = find_page("pipeline")) {
            descriptions_ = describe_keys(read_file(page->file));
        }
        for (const registry::PluginFile& seen : registry.seen()) {
            if (seen.manifest) {
                for (const registry::ComponentManifest& component : seen.manifest->components) {
                    Choice& choice =
                        add(choices_[component.kind], component.provides, component.about, component.options);
                    if (component.kind == registry::Kind::layer) {
                        choice.role = role_of(registry, component);
                    }
                }
            }
        }
        add(choices_[registry::Kind::transform], config::kCache,
            "Stores the samples that reach it, so that later epochs skip the transforms before it", cache_);
        add(choices_[registry::Kind::kernel], "auto", "All kernel providers that are installed for the device", {});
    }

    Json build() {
        Json whole = table("");
        whole["properties"]["include"] =
            described(any_of({{"type", "string"}}, {{"type", "array"}, {"items", {{"type", "string"}}}}), "include");
        Json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", "Sluice pipeline"}};
        schema.update(whole);
        schema["required"] = {"version"};
        schema["definitions"] = definitions_;
        return schema;
    }

private:
    [[nodiscard]] const Key* find(const std::string& path) const {
        const auto found = std::ranges::find(keys_, path, &Key::path);
        return found == keys_.end() ? nullptr : &*found;
    }
    // Returns the keys of the table at that path.
    [[nodiscard]] std::vector<const Key*> children(const std::string& path) const {
        std::vector<const Key*> found;
        for (const Key& key : keys_) {
            const std::size_t dot = key.path.rfind('.');
            if (key.path != path && (dot == std::string::npos ? "" : key.path.substr(0, dot)) == path) {
                found.push_back(&key);
            }
        }
        return found;
    }

    Json table(const std::string& path) {
        const bool takes_arguments = path == "model";
        Json json = {{"type", "object"}, {"properties", Json::object()}, {"additionalProperties", takes_arguments}};
        for (const Key* const key : children(path)) {
            const std::string name = key->path.substr(key->path.rfind('.') + 1);
            if (name == "*") {
                json["additionalProperties"] = value(*key);
                continue;
            }
            json["properties"][name] = value(*key);
        }
        return json;
    }

    // A table that names its component under `by`. Its other keys are those of the host and the component's options.
    Json component(const std::string& path) {
        const bool is_layer = find(config::join_path(path, "type")) != nullptr;
        const std::string by = is_layer ? "type" : "use";
        const bool is_element = path.ends_with(".*");  // of an array; these are never merged from several files
        Json common = table(path);
        common["properties"].erase(by);
        common["additionalProperties"] = false;
        Json variants = Json::array();
        if (is_layer) {
            common["properties"].erase("block");
            Json& block = variants.emplace_back(common);
            block["properties"]["block"] = described({{"type", "string"}}, path + ".block");
            block["required"] = {"block"};
            block["additionalProperties"] = true;  // arguments of the block
        }
        for (const auto& [name, choice] : choices_at(path)) {
            Json variant = common;
            variant["description"] = choice.about;
            Json& named = variant["properties"][by] = described({{"const", name}}, config::join_path(path, by));
            if (!named.contains("description")) {
                named["description"] = choice.about;
            }
            if (is_element) {
                variant["required"].push_back(by);
            }
            for (const auto& [key, schema] : choice.options) {
                variant["properties"][key] = is_layer ? or_formula(option(*schema)) : option(*schema);
                if (is_element && schema->required) {
                    variant["required"].push_back(key);
                }
            }
            variants.push_back(std::move(variant));
        }
        const std::string role = path == "loss" ? "loss" : path.starts_with("metrics") ? "metric" : "";
        return defined(role.empty() ? std::string(registry::to_string(kind_at(path))) : role, {{"anyOf", variants}});
    }

    [[nodiscard]] Choices choices_at(const std::string& path) {
        Choices choices = choices_[kind_at(path)];
        std::erase_if(choices, [&](const auto& choice) { return !may_stand_at(path, choice.second); });
        return choices;
    }

    Json name_or_component(const std::string& path) {
        Json names = Json::array();
        for (const auto& [name, choice] : choices_at(path)) {
            const bool is_whole =
                std::ranges::none_of(choice.options, [](const auto& o) { return o.second->required; });
            if (is_whole) {
                names.push_back(name);
            }
        }
        return any_of({{"enum", names}}, component(path + ".*"));
    }

    // Adds the page's description of the key. The page describes keys of an array's elements under the array, and
    // layers of blocks as those of the model.
    [[nodiscard]] Json described(Json json, const std::string& path) const {
        static constexpr std::string_view kBlocks = "model.blocks.*.";
        std::string name = path.starts_with(kBlocks) ? "model." + path.substr(kBlocks.size()) : path;
        auto found = descriptions_.find(name);
        if (const std::size_t star = name.find(".*."); found == descriptions_.end() && star != std::string::npos) {
            found = descriptions_.find(name.erase(star, 2));
        }
        if (found == descriptions_.end()) {
            return json;
        }
        if (json.contains("$ref")) {  // draft 7 ignores all keywords next to $ref
            json = {{"anyOf", Json::array({json})}};
        }
        json["description"] = found->second;
        return json;
    }

    // Returns a reference to the definition of that name, or `what` itself if the definition differs.
    Json defined(const std::string& name, const Json& what) {
        if (!definitions_.contains(name)) {
            definitions_[name] = what;
        }
        return definitions_[name] == what ? Json{{"$ref", "#/definitions/" + name}} : what;
    }

    static Json several(const Json& one) { return any_of(one, {{"type", "array"}, {"items", one}}); }

    static Json bounded(Json json, const Key& key) {
        if (!std::isinf(key.range.min)) {
            json[key.range.above_min ? "exclusiveMinimum" : "minimum"] = integer_or_number(key.range.min);
        }
        if (!std::isinf(key.range.max)) {
            json["maximum"] = integer_or_number(key.range.max);
        }
        return json;
    }

    Json plain(const Key& key) {
        static constexpr const char* kSize = R"(^ *[0-9.]+ *([kMGT]i?)?B *$)";
        switch (key.kind) {
            case Key::Kind::table:
                return table(key.path);
            case Key::Kind::array: {
                const Key* const item = find(key.path + ".*");
                return {{"type", "array"}, {"minItems", 1}, {"items", item != nullptr ? value(*item) : Json::object()}};
            }
            case Key::Kind::component:
                return component(key.path);
            case Key::Kind::components:
                return several(name_or_component(key.path));
            case Key::Kind::sources:
                return any_of(component(key.path), {{"type", "array"}, {"items", component(key.path + ".*")}});
            case Key::Kind::boolean:
                return {{"type", "boolean"}};
            case Key::Kind::integer:
                return bounded({{"type", "integer"}}, key);
            case Key::Kind::number:
                return bounded({{"type", "number"}}, key);
            case Key::Kind::text:
                return {{"type", "string"}};
            case Key::Kind::choice:
                return {{"enum", key.names}};
            case Key::Kind::size:
                return {{"type", "string"}, {"pattern", kSize}};
            case Key::Kind::share:
                return any_of({{"type", "number"}, {"minimum", 0}, {"maximum", 1}},
                              {{"type", "string"}, {"pattern", "^[0-9.]+ *%$"}});
            case Key::Kind::length:
                return {{"type", "string"}, {"pattern", "^[1-9][0-9]* *(epochs?|steps?)$"}};
            case Key::Kind::any:
                break;
        }
        return Json::object();
    }

    Json value(const Key& key) {
        Json json = key.may_be_auto ? any_of(plain(key), {{"const", "auto"}}) : plain(key);
        if (key.fallback && !json.contains("$ref")) {
            json["default"] = json_of(*key.fallback);
        }
        return described(std::move(json), key.path);
    }

    std::vector<Key> keys_;
    std::map<std::string, std::string> descriptions_;
    registry::Schema cache_;
    std::map<registry::Kind, Choices> choices_;
    Json definitions_ = Json::object();
};

}  // namespace

Json pipeline_schema(const registry::Registry& registry) { return Builder(registry).build(); }

}  // namespace sluice::cli
