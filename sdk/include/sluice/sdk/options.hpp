// Typed reading of an option table. The host has checked types and filled in defaults, so a mismatch here means that
// the plugin's manifest and code differ, and is reported as such.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/options.h"
#include "sluice/sdk/guard.hpp"

namespace sluice::sdk {

class Options {
public:
    explicit Options(const sluice_value* table) : table_(table) {}

    // Returns the value of `key`, or nullptr if it is absent.
    [[nodiscard]] const sluice_value* find(std::string_view key) const {
        if (table_ == nullptr || table_->kind != SLUICE_TABLE) {
            return nullptr;
        }
        for (std::uint64_t i = 0; i < table_->count; ++i) {
            if (view(table_->as.pairs[i].key) == key) {
                const sluice_value& value = table_->as.pairs[i].value;
                return value.kind == SLUICE_NIL ? nullptr : &value;
            }
        }
        return nullptr;
    }
    [[nodiscard]] bool has(std::string_view key) const { return find(key) != nullptr; }

    [[nodiscard]] std::int64_t integer(std::string_view key) const { return to_integer(key, need(key)); }
    [[nodiscard]] double number(std::string_view key) const { return to_number(key, need(key)); }
    [[nodiscard]] bool boolean(std::string_view key) const { return expect(key, need(key), SLUICE_BOOL).as.i != 0; }
    [[nodiscard]] std::string string(std::string_view key) const { return to_string(key, need(key)); }

    [[nodiscard]] std::optional<std::int64_t> maybe_integer(std::string_view key) const {
        const sluice_value* value = find(key);
        return value == nullptr ? std::nullopt : std::optional(to_integer(key, *value));
    }

    // An array of integers; a single integer is taken as an array of one.
    [[nodiscard]] std::vector<std::int64_t> integers(std::string_view key) const {
        return list<std::int64_t>(key, [&](const sluice_value& item) { return to_integer(key, item); });
    }
    [[nodiscard]] std::vector<double> numbers(std::string_view key) const {
        return list<double>(key, [&](const sluice_value& item) { return to_number(key, item); });
    }
    [[nodiscard]] std::vector<std::string> strings(std::string_view key) const {
        return list<std::string>(key, [&](const sluice_value& item) { return to_string(key, item); });
    }

private:
    [[nodiscard]] const sluice_value& need(std::string_view key) const {
        const sluice_value* value = find(key);
        if (value == nullptr) {
            throw Failure(SLUICE_INVALID, "option '" + std::string(key) + "' is needed and was not given");
        }
        return *value;
    }
    static const sluice_value& expect(std::string_view key, const sluice_value& value, std::uint32_t kind) {
        if (value.kind != kind) {
            throw Failure(SLUICE_INVALID,
                          "option '" + std::string(key) + "': its type is not the one that the plugin's code reads");
        }
        return value;
    }
    static std::int64_t to_integer(std::string_view key, const sluice_value& value) {
        return expect(key, value, SLUICE_INT).as.i;
    }
    static double to_number(std::string_view key, const sluice_value& value) {
        return value.kind == SLUICE_INT ? static_cast<double>(value.as.i) : expect(key, value, SLUICE_FLOAT).as.f;
    }
    static std::string to_string(std::string_view key, const sluice_value& value) {
        const sluice_value& text = expect(key, value, SLUICE_STRING);
        return {text.as.text, text.count};
    }
    template <class Item, class Convert>
    std::vector<Item> list(std::string_view key, Convert convert) const {
        const sluice_value& value = need(key);
        if (value.kind != SLUICE_ARRAY) {
            return {convert(value)};
        }
        std::vector<Item> items;
        for (std::uint64_t i = 0; i < value.count; ++i) {
            items.push_back(convert(value.as.items[i]));
        }
        return items;
    }

    const sluice_value* table_;
};

}  // namespace sluice::sdk
