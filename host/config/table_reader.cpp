#include "config/table_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text/byte_size.hpp"
#include "base/text/nearest.hpp"
#include "config/merge.hpp"

namespace sluice::config {
namespace {

constexpr std::size_t kShownCharacters = 60;

std::string shown(const Value& value) {
    std::string text = to_toml(value);
    if (text.size() > kShownCharacters) {
        text = text.substr(0, kShownCharacters) + "...";
    }
    return text;
}

// Returns "an integer from 0 to 9" or "a number above 0".
std::string describe(const char* kind, const Range& range) {
    if (std::isinf(range.min)) {
        return kind;
    }
    if (range.above_min && !std::isinf(range.max)) {
        return fmt::format("{} above {} and at most {}", kind, range.min, range.max);
    }
    if (!std::isinf(range.max)) {
        return fmt::format("{} from {} to {}", kind, range.min, range.max);
    }
    return fmt::format("{} {} {}", kind, range.above_min ? "above" : "of at least", range.min);
}

bool contains(const Range& range, double value) {
    return (range.above_min ? value > range.min : value >= range.min) && value <= range.max;
}

// `other` names what else is allowed, for the message.
std::uint64_t read_size(const std::string& path, const Value& value, const char* other) {
    const auto bytes = value.as_string() == nullptr ? std::nullopt : parse_size(*value.as_string());
    if (!bytes) {
        fail_needed(path, value, std::string("a size with its unit such as \"2 GiB\"") + other);
    }
    return *bytes;
}

}  // namespace

void fail(const Origin& origin, const std::string& text) { throw Error(Exit::config, to_string(origin) + ": " + text); }

void fail_needed(const std::string& path, const Value& value, const std::string& needed) {
    fail(value.origin, fmt::format("{} is {} ({}); {} is needed", path, kind_name(value), shown(value), needed));
}

std::int64_t read_integer(const std::string& path, const Value& value, const Range& range) {
    const std::int64_t* integer = value.as_int();
    if (integer == nullptr) {
        fail_needed(path, value, "an integer");
    }
    if (!contains(range, static_cast<double>(*integer))) {
        fail(value.origin, fmt::format("{} is {}; {} is needed", path, *integer, describe("an integer", range)));
    }
    return *integer;
}

double read_number(const std::string& path, const Value& value, const Range& range) {
    if (value.as_int() == nullptr && value.as_float() == nullptr) {
        fail_needed(path, value, "a number");
    }
    const double number = value.as_int() != nullptr ? static_cast<double>(*value.as_int()) : *value.as_float();
    if (!std::isfinite(number) || !contains(range, number)) {
        fail(value.origin, fmt::format("{} is {}; {} is needed", path, shown(value), describe("a number", range)));
    }
    return number;
}

const std::string& read_text(const std::string& path, const Value& value) {
    const std::string* text = value.as_string();
    if (text == nullptr) {
        fail_needed(path, value, "a string");
    }
    if (text->empty()) {
        fail(value.origin, path + " is an empty string");
    }
    return *text;
}

const Table& read_table(const std::string& path, const Value& value) {
    const Table* table = value.as_table();
    if (table == nullptr) {
        const Array* const items = value.as_array();
        const bool is_doubled = items != nullptr && !items->empty() && items->front().as_table() != nullptr;
        fail_needed(path, value, is_doubled ? "a table, in single brackets [" + path + "]," : "a table");
    }
    return *table;
}

TableReader::TableReader(const Table& table, std::string path, Origin origin, const KeyListener* listener)
    : table_(table), path_(std::move(path)), origin_(std::move(origin)), listener_(listener) {}

void TableReader::describe_key(const std::string& key, Key what) const {
    if (listener_ != nullptr) {
        what.path = key.empty() ? path_ : path_of(key);
        (*listener_)(what);
    }
}

const Value* TableReader::maybe(const std::string& key) {
    describe_key(key, {});
    know(key);
    const Value* value = table_.find(key);
    if (value != nullptr) {
        result_.set(key, *value);
    }
    return value;
}

const Value& TableReader::need(const std::string& key, const std::string& needed) {
    describe_key(key, {.is_needed = true});
    if (const Value* value = maybe(key)) {
        return *value;
    }
    std::vector<std::string> similar_keys;  // similar keys that no reader has asked for
    for (const auto& [written, value] : table_.entries()) {
        if (!is_known(written) && is_near(written, key)) {
            similar_keys.push_back(fmt::format("; did you mean '{}' at {}?", written, to_string(value.origin)));
        }
    }
    fail(origin_, fmt::format("{} has no '{}'; {} is needed{}", label(), key, needed,
                              similar_keys.empty() ? "" : similar_keys[0]));
}

std::int64_t TableReader::integer(const std::string& key, const Range& range) {
    describe_key(key, {.kind = Key::Kind::integer, .range = range, .is_needed = true});
    return read_integer(path_of(key), need(key, describe("an integer", range)), range);
}

std::int64_t TableReader::integer(const std::string& key, const Range& range, std::int64_t fallback) {
    describe_key(key, {.kind = Key::Kind::integer, .range = range, .fallback = Value{fallback, {}}});
    if (const Value* value = maybe(key)) {
        return read_integer(path_of(key), *value, range);
    }
    put(key, {fallback, {}});
    return fallback;
}

std::optional<std::int64_t> TableReader::maybe_integer(const std::string& key, const Range& range) {
    describe_key(key, {.kind = Key::Kind::integer, .range = range});
    const Value* value = maybe(key);
    return value == nullptr ? std::nullopt : std::optional(read_integer(path_of(key), *value, range));
}

std::optional<std::int64_t> TableReader::integer_or_auto(const std::string& key, const Range& range) {
    describe_key(key, {.kind = Key::Kind::integer, .range = range, .may_be_auto = true});
    const Value* value = maybe(key);
    if (value == nullptr) {
        put(key, {std::string("auto"), {}});
        return std::nullopt;
    }
    if (value->as_int() != nullptr) {
        return read_integer(path_of(key), *value, range);
    }
    if (value->as_string() == nullptr || *value->as_string() != "auto") {
        fail_needed(path_of(key), *value, describe("an integer", range) + ", or \"auto\",");
    }
    return std::nullopt;
}

double TableReader::number(const std::string& key, const Range& range, double fallback) {
    describe_key(key, {.kind = Key::Kind::number, .range = range, .fallback = Value{fallback, {}}});
    if (const Value* value = maybe(key)) {
        return read_number(path_of(key), *value, range);
    }
    put(key, {fallback, {}});
    return fallback;
}

bool TableReader::boolean(const std::string& key, bool fallback) {
    describe_key(key, {.kind = Key::Kind::boolean, .fallback = Value{fallback, {}}});
    const Value* value = maybe(key);
    if (value == nullptr) {
        put(key, {fallback, {}});
        return fallback;
    }
    if (value->as_bool() == nullptr) {
        fail_needed(path_of(key), *value, "true or false");
    }
    return *value->as_bool();
}

std::optional<std::uint64_t> TableReader::maybe_size(const std::string& key) {
    describe_key(key, {.kind = Key::Kind::size});
    const Value* value = maybe(key);
    return value == nullptr ? std::nullopt : std::optional(read_size(path_of(key), *value, ""));
}

std::optional<std::uint64_t> TableReader::size_or_auto(const std::string& key) {
    describe_key(key, {.kind = Key::Kind::size, .may_be_auto = true});
    const Value* value = maybe(key);
    if (value == nullptr) {
        put(key, {std::string("auto"), {}});
        return std::nullopt;
    }
    const bool is_auto = value->as_string() != nullptr && *value->as_string() == "auto";
    return is_auto ? std::nullopt : std::optional(read_size(path_of(key), *value, ", or \"auto\","));
}

std::string TableReader::text(const std::string& key) {
    describe_key(key, {.kind = Key::Kind::text, .is_needed = true});
    return read_text(path_of(key), need(key, "a string"));
}

std::string TableReader::text(const std::string& key, const std::string& fallback) {
    describe_key(key, {.kind = Key::Kind::text, .fallback = Value{fallback, {}}});
    if (const Value* value = maybe(key)) {
        return read_text(path_of(key), *value);
    }
    put(key, {fallback, {}});
    return fallback;
}

std::size_t TableReader::choice(const std::string& key, std::span<const std::string> names, std::size_t fallback) {
    describe_key(
        key,
        {.kind = Key::Kind::choice, .names = {names.begin(), names.end()}, .fallback = Value{names[fallback], {}}});
    const std::string name = text(key, names[fallback]);
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) {
        fail(origin_of(key), fmt::format("{} is \"{}\"{}", path_of(key), name, suggestion(name, names)));
    }
    return static_cast<std::size_t>(found - names.begin());
}

std::optional<std::string> TableReader::maybe_text(const std::string& key) {
    describe_key(key, {.kind = Key::Kind::text});
    const Value* value = maybe(key);
    return value == nullptr ? std::nullopt : std::optional(read_text(path_of(key), *value));
}

const Array& TableReader::array(const std::string& key) {
    describe_key(key, {.kind = Key::Kind::array});
    const Value& value = need(key, "an array");
    if (value.as_array() == nullptr) {
        fail_needed(path_of(key), value, "an array");
    }
    return *value.as_array();
}

TableReader TableReader::child(const std::string& key) {
    describe_key(key, {.kind = Key::Kind::table});
    const Value* value = maybe(key);
    if (value == nullptr) {
        return {Table{}, path_of(key), origin_, listener_};
    }
    return inner(path_of(key), *value);
}

TableReader TableReader::inner(const std::string& path, const Value& table) const {
    return {read_table(path, table), path, table.origin, listener_};
}

void TableReader::put(const std::string& key, Value value) {
    know(key);
    if (const Value* written = table_.find(key); written == nullptr) {
        value.origin = Origin{};
    }
    result_.set(key, std::move(value));
}

Table TableReader::rest() {
    Table options;
    for (const auto& [key, value] : table_.entries()) {
        if (!is_known(key)) {
            options.set(key, value);
        }
    }
    for (const auto& [key, value] : options.entries()) {
        maybe(key);
    }
    return options;
}

Value TableReader::finish() {
    for (const auto& [key, value] : table_.entries()) {
        if (!is_known(key)) {
            throw UnknownKey(fmt::format("{}: unknown key '{}' in {}", to_string(value.origin), key, label()), key,
                             path_, known_);
        }
    }
    return {std::move(result_), origin_};
}

std::vector<std::string> TableReader::keys() const {
    std::vector<std::string> keys;
    for (const auto& [key, value] : table_.entries()) {
        keys.push_back(key);
    }
    return keys;
}

std::string TableReader::path_of(const std::string& key) const { return join_path(path_, key); }

Origin TableReader::origin_of(const std::string& key) const {
    const Value* value = table_.find(key);
    return value == nullptr ? origin_ : value->origin;
}

void TableReader::know(const std::string& key) {
    if (!is_known(key)) {
        known_.push_back(key);
    }
}

bool TableReader::is_known(const std::string& key) const {
    return std::find(known_.begin(), known_.end(), key) != known_.end();
}

std::string TableReader::label() const { return path_.empty() ? "the pipeline" : "[" + path_ + "]"; }

}  // namespace sluice::config
