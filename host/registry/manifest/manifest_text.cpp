#include "registry/manifest/manifest_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/control.hpp"
#include "base/error.hpp"

namespace sluice::registry {
namespace {

constexpr std::size_t kLongestComponentName = 64;
constexpr std::size_t kLongestId = 128;

bool is_small_letter(char c) { return c >= 'a' && c <= 'z'; }
bool is_of_name(char c) { return is_small_letter(c) || (c >= '0' && c <= '9') || c == '_'; }

[[noreturn]] void refuse_key(const Table& table, const char* key, std::string_view rule) {
    const Value& value = *table.find(key);
    refuse_manifest(to_string(value.origin), fmt::format("{} is {}; {}", key, to_toml(value), rule));
}

void expect_plain_keys_in(const Value& value) {
    if (value.as_table() != nullptr) {
        expect_plain_keys(*value.as_table());
    } else if (value.as_array() != nullptr) {
        std::ranges::for_each(*value.as_array(), expect_plain_keys_in);
    }
}

}  // namespace

std::string text_problem(std::string_view text) {
    const std::optional<Control> control = find_control(text);
    return !control ? ""
                    : fmt::format(
                          "has the control character U+{:04X}; one line of text without control characters is needed",
                          static_cast<unsigned>(control->letter));
}

bool is_name(std::string_view text) {
    return !text.empty() && text.size() <= kLongestComponentName && is_small_letter(text.front()) &&
           std::ranges::all_of(text, is_of_name);
}

bool is_id(std::string_view text) {
    bool begins_word = true;
    for (const char c : text) {
        const bool is_right = begins_word ? is_of_name(c) && c != '_' : is_of_name(c) || c == '-' || c == '.';
        if (!is_right) {
            return false;
        }
        begins_word = c == '.';
    }
    return !begins_word && text.size() <= kLongestId && is_small_letter(text.front()) &&
           text.find('.') != std::string_view::npos;
}

void refuse_manifest(const std::string& where, const std::string& why) {
    throw Error(Exit::plugin, where + ": " + why);
}

void expect_plain_keys(const Table& table) {
    for (const auto& [key, value] : table.entries()) {
        if (const std::string trouble = text_problem(key); !trouble.empty()) {
            refuse_manifest(to_string(value.origin), fmt::format("the key {} {}", to_toml({key, {}}), trouble));
        }
        expect_plain_keys_in(value);
    }
}

std::string read_text(const Table& table, const char* key, const std::string& where, bool needed) {
    const Value* value = table.find(key);
    if (value == nullptr) {
        if (needed) {
            refuse_manifest(where, fmt::format("'{}' is missing", key));
        }
        return {};
    }
    if (value->as_string() == nullptr || (needed && value->as_string()->empty())) {
        refuse_key(table, key, "a text is needed");
    }
    if (const std::string trouble = text_problem(*value->as_string()); !trouble.empty()) {
        refuse_manifest(to_string(value->origin), fmt::format("{} {}", key, trouble));
    }
    return *value->as_string();
}

std::string read_name(const Table& table, const char* key, const std::string& where, bool needed) {
    std::string name = read_text(table, key, where, needed);
    if (!name.empty() && !is_name(name)) {
        refuse_key(table, key, kNameRule);
    }
    return name;
}

std::string read_id(const Table& table, const std::string& where) {
    std::string id = read_text(table, "id", where, true);
    if (!is_id(id)) {
        refuse_key(table, "id", kIdRule);
    }
    return id;
}

}  // namespace sluice::registry
