#include "base/value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/control.hpp"

namespace sluice {

std::string to_string(const Origin& origin) {
    switch (origin.kind) {
        case Origin::Kind::built_in:
            return "default";
        case Origin::Kind::command_line:
            return origin.file;
        case Origin::Kind::environment:
            return "environment " + origin.file;
        case Origin::Kind::file:
            break;
    }
    return fmt::format("{}:{}:{}", origin.file, origin.line, origin.column);
}

Table::Table() = default;
Table::Table(const Table&) = default;
Table::Table(Table&&) noexcept = default;
Table& Table::operator=(const Table&) = default;
Table& Table::operator=(Table&&) noexcept = default;
Table::~Table() = default;

const Value* Table::find(std::string_view key) const {
    const auto at =
        std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.first == key; });
    return at == entries_.end() ? nullptr : &at->second;
}

Value* Table::find(std::string_view key) { return const_cast<Value*>(std::as_const(*this).find(key)); }

void Table::set(std::string_view key, Value value) {
    if (Value* present = find(key)) {
        *present = std::move(value);
    } else {
        entries_.emplace_back(std::string(key), std::move(value));
    }
}

bool Table::erase(std::string_view key) {
    return std::erase_if(entries_, [&](const Entry& entry) { return entry.first == key; }) > 0;
}

bool Table::empty() const { return entries_.empty(); }

std::string_view kind_name(const Value& value) {
    static constexpr std::string_view names[] = {"nothing",  "a boolean", "an integer", "a number",
                                                 "a string", "an array",  "a table"};
    return names[value.data.index()];
}

namespace {

// Escapes quotes and backslashes. The caller escapes control characters.
std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        out += c == '"' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
    }
    return out;
}

// Returns `text` as a TOML string without control characters.
std::string toml_quoted(std::string_view text) {
    std::string out = "\"";
    while (const std::optional<Control> control = find_control(text)) {
        out += escaped(text.substr(0, control->at));
        out += control->letter == '\n'   ? "\\n"
               : control->letter == '\t' ? "\\t"
                                         : fmt::format("\\u{:04x}", static_cast<unsigned>(control->letter));
        text.remove_prefix(control->at + control->size);
    }
    return out + escaped(text) + '"';
}

bool is_bare_key(std::string_view key) {
    return !key.empty() && std::all_of(key.begin(), key.end(),
                                       [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; });
}

std::string number(double value) {
    if (std::isnan(value)) {
        return "nan";
    }
    if (std::isinf(value)) {
        return value > 0 ? "inf" : "-inf";
    }
    std::string text = fmt::format("{}", value);
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

struct TomlWriter {
    std::string operator()(std::monostate) const { return "\"\""; }
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(double value) const { return number(value); }
    std::string operator()(const std::string& value) const { return toml_quoted(value); }
    std::string operator()(const Array& items) const {
        std::string text;
        for (const Value& item : items) {
            text += (text.empty() ? "" : ", ") + to_toml(item);
        }
        return "[" + text + "]";
    }
    std::string operator()(const Table& table) const {
        std::string text;
        for (const auto& [key, value] : table.entries()) {
            text += (text.empty() ? " " : ", ") + (is_bare_key(key) ? key : toml_quoted(key)) + " = " + to_toml(value);
        }
        return "{" + text + " }";
    }
};

}  // namespace

std::string to_toml(const Value& value) { return std::visit(TomlWriter{}, value.data); }

}  // namespace sluice
