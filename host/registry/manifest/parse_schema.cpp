// Parses `[component.options]` of a manifest. Unknown keys are ignored, so that a plugin built with a newer minor ABI
// still loads.
#include "registry/manifest/parse_schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "base/text/nearest.hpp"
#include "registry/manifest/manifest_text.hpp"
#include "registry/manifest/schema_check.hpp"
#include "registry/manifest/version.hpp"

namespace sluice::registry {
namespace {

[[noreturn]] void fail(const Value& at, const std::string& option, const std::string& why) {
    throw Error(Exit::plugin, fmt::format("{}: option '{}': {}", to_string(at.origin), option, why));
}

OptionSchema::Type parse_type(const std::string& option, const Value& entry, const Value* type) {
    static const std::array<std::string, 4> kNames = {"bool", "int", "float", "string"};
    if (type == nullptr || type->as_string() == nullptr) {
        fail(entry, option, "'type' is missing; it is one of: bool, int, float, string");
    }
    for (std::size_t i = 0; i < kNames.size(); ++i) {
        if (kNames[i] == *type->as_string()) {
            return static_cast<OptionSchema::Type>(i);
        }
    }
    fail(*type, option, fmt::format("type is {}{}", to_toml(*type), suggestion(*type->as_string(), kNames)));
}

void parse_array(OptionSchema& option, const Value& array) {
    if (const bool* any_length = array.as_bool()) {
        option.is_array = *any_length;
    } else if (array.as_int() != nullptr && *array.as_int() >= 1) {
        option.is_array = true;
        option.array_size = *array.as_int();
    } else {
        fail(array, option.name, fmt::format("array is {}; true or a length >= 1 is needed", to_toml(array)));
    }
}

std::optional<double> parse_bound(const OptionSchema& option, const Table& fields, const char* key) {
    const Value* bound = fields.find(key);
    if (bound == nullptr) {
        return std::nullopt;
    }
    if (option.type != OptionSchema::Type::integer && option.type != OptionSchema::Type::number) {
        fail(*bound, option.name, fmt::format("'{}' bounds only int and float", key));
    }
    if (const std::int64_t* integer = bound->as_int()) {
        return static_cast<double>(*integer);
    }
    if (bound->as_float() == nullptr) {
        fail(*bound, option.name, fmt::format("{} is {}; a number is needed", key, to_toml(*bound)));
    }
    return *bound->as_float();
}

bool parse_required(const OptionSchema& option, const Table& fields) {
    const Value* required = fields.find("required");
    if (required == nullptr) {
        return false;
    }
    if (required->as_bool() == nullptr) {
        fail(*required, option.name, fmt::format("required is {}; true or false is needed", to_toml(*required)));
    }
    if (*required->as_bool() && fields.find("default") != nullptr) {
        fail(*required, option.name, "is required and has a default; remove one of the two");
    }
    return *required->as_bool();
}

// Throws if the text, or a text in the array, has control characters.
void expect_text(const OptionSchema& option, const Value& value, const char* key) {
    if (const Array* items = value.as_array()) {
        for (const Value& item : *items) {
            expect_text(option, item, key);
        }
    } else if (const std::string trouble = value.as_string() != nullptr ? text_problem(*value.as_string()) : "";
               !trouble.empty()) {
        fail(value, option.name, fmt::format("{} {}", key, trouble));
    }
}

std::string parse_text(const OptionSchema& option, const Table& fields, const char* key) {
    const Value* text = fields.find(key);
    if (text == nullptr) {
        return {};
    }
    if (text->as_string() == nullptr) {
        fail(*text, option.name, fmt::format("{} is {}; a string is needed", key, to_toml(*text)));
    }
    expect_text(option, *text, key);
    return *text->as_string();
}

std::string parse_since(const OptionSchema& option, const Table& fields) {
    std::string since = parse_text(option, fields, "since");
    if (!since.empty() && !is_version(since)) {
        fail(*fields.find("since"), option.name, fmt::format("since is \"{}\"; {}", since, kVersionRule));
    }
    return since;
}

// Checks a default or choice of the manifest against its own option, and removes its place, as for a built-in value.
Value own_value(const OptionSchema& option, const Value& value, const std::string& what) {
    const auto forget_origin = [](const auto& self, Value& node) -> void {
        node.origin = {};
        if (auto* items = std::get_if<Array>(&node.data)) {
            for (Value& item : *items) {
                self(self, item);
            }
        }
    };
    try {
        Value checked = check_option(option, value, what);
        forget_origin(forget_origin, checked);
        return checked;
    } catch (const Error& wrong) {
        throw Error(Exit::plugin, wrong.what());
    }
}

void parse_choices(OptionSchema& option, const Value& choices) {
    if (choices.as_array() == nullptr || choices.as_array()->empty()) {
        fail(choices, option.name, "choices must be an array with at least one value");
    }
    expect_text(option, choices, "choices");
    OptionSchema one = option;
    one.is_array = false;
    for (const Value& choice : *choices.as_array()) {
        option.choices.push_back(own_value(one, choice, "the manifest (its choices)"));
    }
}

OptionSchema parse_option(const std::string& name, const Value& entry) {
    if (!is_name(name)) {
        refuse_manifest(to_string(entry.origin),
                        fmt::format("the name of an option is {}; {}", to_toml({name, {}}), kNameRule));
    }
    const Table* fields = entry.as_table();
    if (fields == nullptr) {
        fail(entry, name, fmt::format("is {}; a table such as {{ type = \"int\" }} is needed", kind_name(entry)));
    }
    OptionSchema option;
    option.name = name;
    option.type = parse_type(name, entry, fields->find("type"));
    if (const Value* array = fields->find("array")) {
        parse_array(option, *array);
    }
    option.min = parse_bound(option, *fields, "min");
    option.max = parse_bound(option, *fields, "max");
    if (option.min && option.max && *option.min > *option.max) {
        fail(entry, name, fmt::format("min {} is above max {}", *option.min, *option.max));
    }
    if (const Value* choices = fields->find("choices")) {
        parse_choices(option, *choices);
    }
    option.required = parse_required(option, *fields);
    option.unit = parse_text(option, *fields, "unit");
    option.help = parse_text(option, *fields, "help");
    if (const Value* value = fields->find("default")) {
        expect_text(option, *value, "default");
        option.default_value = own_value(option, *value, "the manifest (its default)");
    }
    option.since = parse_since(option, *fields);
    if (!option.since.empty() && !option.default_value) {
        fail(entry, name, "has 'since' but no default; a default that keeps the earlier behaviour is needed");
    }
    return option;
}

}  // namespace

Schema parse_schema(const Table& options) {
    Schema schema;
    for (const auto& [name, entry] : options.entries()) {
        schema.push_back(parse_option(name, entry));
    }
    return schema;
}

}  // namespace sluice::registry
