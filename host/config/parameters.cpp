#include "config/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "base/text/nearest.hpp"

namespace sluice::config {
namespace {

const std::array<std::string, 5> kTypes = {"boolean", "integer", "number", "string", "array"};

// Returns the name of a value's type; empty for tables and null.
std::string type_of(const Value& value) {
    return value.as_bool() != nullptr     ? "boolean"
           : value.as_int() != nullptr    ? "integer"
           : value.as_float() != nullptr  ? "number"
           : value.as_string() != nullptr ? "string"
           : value.as_array() != nullptr  ? "array"
                                          : "";
}

bool has_type(const Value& value, const std::string& type) {
    return type_of(value) == type || (type == "number" && value.as_int() != nullptr);
}

std::string with_article(const std::string& type) {
    return type == "boolean" ? "true or false" : (type == "integer" || type == "array" ? "an " : "a ") + type;
}

// Formulas use the names, so these must be words.
void check_parameter_name(const std::string& path, const std::string& name, const Value& value,
                          std::span<const std::string> reserved) {
    const bool is_word = std::isdigit(static_cast<unsigned char>(name.front())) == 0 &&
                         std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
    if (!is_word) {
        fail(value.origin,
             fmt::format("{}: '{}' is no name of a parameter; letters, digits and '_' are allowed", path, name));
    }
    if (std::ranges::find(reserved, name) != reserved.end()) {
        fail(value.origin,
             fmt::format("{}: a parameter cannot be named '{}', which has a meaning of its own", path, name));
    }
}

}  // namespace

Parameters Parameters::read(TableReader& table, std::span<const std::string> reserved) {
    Parameters read;
    table.describe_key("parameters", {.kind = Key::Kind::table});
    const Value* const written = table.maybe("parameters");
    if (written == nullptr) {
        return read;
    }
    const std::string path = table.path_of("parameters");
    for (const auto& [name, value] : read_table(path, *written).entries()) {
        check_parameter_name(path, name, value, reserved);
        Parameter parameter{.name = name, .type = type_of(value), .fallback = value};
        if (value.as_table() != nullptr) {
            TableReader reader = table.inner(path + "." + name, value);
            (void)reader.need("type", "the type of the argument");
            parameter.type = kTypes[reader.choice("type", kTypes)];
            (void)reader.finish();
            parameter.fallback.reset();
        }
        read.parameters_.push_back(std::move(parameter));
    }
    return read;
}

Table Parameters::arguments(TableReader& use, const std::string& owner) const {
    Table arguments;
    for (const Parameter& parameter : parameters_) {
        const Value* const written = use.maybe(parameter.name);
        if (written == nullptr && !parameter.fallback) {
            fail(use.origin(), fmt::format("{} needs '{}', {}", owner, parameter.name, with_article(parameter.type)));
        }
        if (written != nullptr && !has_type(*written, parameter.type)) {
            fail_needed(use.path_of(parameter.name), *written,
                        fmt::format("{} for {}", with_article(parameter.type), owner));
        }
        arguments.set(parameter.name, written != nullptr ? *written : *parameter.fallback);
    }
    return arguments;
}

std::optional<Table> Parameters::defaults() const {
    Table defaults;
    for (const Parameter& parameter : parameters_) {
        if (!parameter.fallback) {
            return std::nullopt;
        }
        defaults.set(parameter.name, *parameter.fallback);
    }
    return defaults;
}

}  // namespace sluice::config
