#include "registry/manifest/schema_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sluice::registry {
namespace {

std::string range_text(const OptionSchema& option) {
    if (option.min && option.max) {
        return fmt::format(" from {} to {}", *option.min, *option.max);
    }
    return option.min ? fmt::format(" >= {}", *option.min) : option.max ? fmt::format(" <= {}", *option.max) : "";
}

std::string choices_text(const OptionSchema& option) {
    std::string text;
    for (const Value& choice : option.choices) {
        text += (text.empty() ? "" : ", ") + to_toml(choice);
    }
    return text;
}

std::size_t index_of(const OptionSchema& option) { return static_cast<std::size_t>(option.type); }

// Type column of `host plugins show`: "int[2] >= 1 pixels".
std::string type_text(const OptionSchema& option) {
    static constexpr const char* kNames[] = {"bool", "int", "float", "string"};
    std::string text = kNames[index_of(option)];
    if (option.is_array) {
        text += option.array_size > 0 ? fmt::format("[{}]", option.array_size) : "[]";
    }
    text += option.choices.empty() ? range_text(option) : ": " + choices_text(option);
    return option.unit.empty() ? text : text + " " + option.unit;
}

std::string remark(const OptionSchema& option) {
    const std::string rest = option.required        ? "required"
                             : option.default_value ? "default " + to_toml(*option.default_value)
                                                    : "optional";
    const std::string since = option.since.empty() ? "" : ", since " + option.since;
    return (option.help.empty() ? "" : option.help + "; ") + rest + since;
}

}  // namespace

std::string needed_item(const OptionSchema& option) {
    static constexpr const char* kOne[] = {"true or false", "an integer", "a number", "a string"};
    return option.choices.empty() ? kOne[index_of(option)] + range_text(option) : "one of " + choices_text(option);
}

std::string needed_value(const OptionSchema& option) {
    static constexpr const char* kMany[] = {"booleans", "integers", "numbers", "strings"};
    if (!option.is_array) {
        return needed_item(option);
    }
    const std::string count = option.array_size > 0 ? std::to_string(option.array_size) + " " : "";
    const std::string bounds = option.choices.empty() ? range_text(option) : ", each one of " + choices_text(option);
    return "an array of " + count + kMany[index_of(option)] + bounds;
}

std::string describe(const Schema& schema) {
    std::size_t name_width = 0;
    std::size_t type_width = 0;
    for (const OptionSchema& option : schema) {
        name_width = std::max(name_width, option.name.size());
        type_width = std::max(type_width, type_text(option).size());
    }
    // Limits the width, so that one long list of choices does not push the help of all options aside.
    constexpr std::size_t kWidestType = 32;
    type_width = std::min(type_width, kWidestType);
    std::string text;
    for (const OptionSchema& option : schema) {
        text +=
            fmt::format("{:<{}}  {:<{}}  {}\n", option.name, name_width, type_text(option), type_width, remark(option));
    }
    return text;
}

}  // namespace sluice::registry
