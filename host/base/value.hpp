// A configuration value as it was written: a TOML node with its origin. Immutable once loaded.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace sluice {

// The place where a value was written.
struct Origin {
    enum class Kind { built_in, file, command_line, environment };
    Kind kind = Kind::built_in;
    std::string file;  // path as the user gave it; for the command line: "--set data.batch=4"
    int line = 0;
    int column = 0;
};

// Returns "deblur.toml:14:3", "--set data.batch=4" or "default".
std::string to_string(const Origin& origin);

struct Value;
using Array = std::vector<Value>;

// Keys in the order in which they were written.
class Table {
public:
    using Entry = std::pair<std::string, Value>;

    // Defined in value.cpp, where Value is complete.
    Table();
    Table(const Table&);
    Table(Table&&) noexcept;
    Table& operator=(const Table&);
    Table& operator=(Table&&) noexcept;
    ~Table();

    [[nodiscard]] const Value* find(std::string_view key) const;
    [[nodiscard]] Value* find(std::string_view key);
    // Adds the key, or replaces its value in place.
    void set(std::string_view key, Value value);
    bool erase(std::string_view key);

    [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
    [[nodiscard]] std::vector<Entry>& entries() { return entries_; }
    [[nodiscard]] bool empty() const;

private:
    std::vector<Entry> entries_;
};

struct Value {
    std::variant<std::monostate, bool, std::int64_t, double, std::string, Array, Table> data;
    Origin origin;

    [[nodiscard]] bool is_null() const { return std::holds_alternative<std::monostate>(data); }
    [[nodiscard]] const bool* as_bool() const { return std::get_if<bool>(&data); }
    [[nodiscard]] const std::int64_t* as_int() const { return std::get_if<std::int64_t>(&data); }
    [[nodiscard]] const double* as_float() const { return std::get_if<double>(&data); }
    [[nodiscard]] const std::string* as_string() const { return std::get_if<std::string>(&data); }
    [[nodiscard]] const Array* as_array() const { return std::get_if<Array>(&data); }
    [[nodiscard]] const Table* as_table() const { return std::get_if<Table>(&data); }
};

// Returns "a string", "an integer" and so on, for messages.
std::string_view kind_name(const Value& value);

// Returns the value as TOML text: strings quoted, arrays and tables inline.
std::string to_toml(const Value& value);

}  // namespace sluice
