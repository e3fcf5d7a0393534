// Strict reading of one table. Every key that is asked for is known; finish() refuses all others. The resulting table
// holds the keys in the order in which they were asked for, with defaults for keys that were not written.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/value.hpp"
#include "config/key.hpp"

namespace sluice::config {

// Throws Error(Exit::config) "place: text".
[[noreturn]] void fail(const Origin& origin, const std::string& text);
// Throws "deblur.toml:9:1: data.batch is a string ("8"); an integer is needed".
[[noreturn]] void fail_needed(const std::string& path, const Value& value, const std::string& needed);

// Says that a table has a key which was never read. The message lacks a hint, for which all keys of pipelines must be
// known.
class UnknownKey : public Error {
public:
    // `known` are the keys of the table at `path`.
    UnknownKey(const std::string& message, std::string key, std::string path, std::vector<std::string> known)
        : Error(Exit::config, message), key_(std::move(key)), path_(std::move(path)), known_(std::move(known)) {}
    [[nodiscard]] const std::string& key() const { return key_; }
    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] const std::vector<std::string>& known() const { return known_; }

private:
    std::string key_;
    std::string path_;
    std::vector<std::string> known_;
};

class TableReader {
public:
    // `path` is the path of the table in the pipeline ("data.train"); empty for the whole file. `listener` receives
    // each key that is asked for; null: none. It must outlive this reader and its children.
    TableReader(const Table& table, std::string path, Origin origin, const KeyListener* listener = nullptr);

    // Returns the value, or null if the key was not written. Makes the key known.
    const Value* maybe(const std::string& key);
    // Returns the value of a required key. `needed` ("a string") describes it in the message.
    const Value& need(const std::string& key, const std::string& needed);

    std::int64_t integer(const std::string& key, const Range& range);
    std::int64_t integer(const std::string& key, const Range& range, std::int64_t fallback);
    std::optional<std::int64_t> maybe_integer(const std::string& key, const Range& range);
    // Returns nullopt for "auto", which is also the default.
    std::optional<std::int64_t> integer_or_auto(const std::string& key, const Range& range);
    double number(const std::string& key, const Range& range, double fallback);
    // Returns bytes, which are written as "2 GiB"; nullopt if the key was not written.
    std::optional<std::uint64_t> maybe_size(const std::string& key);
    // Same, but returns nullopt for "auto", which is also the default.
    std::optional<std::uint64_t> size_or_auto(const std::string& key);
    bool boolean(const std::string& key, bool fallback);
    std::string text(const std::string& key);
    std::string text(const std::string& key, const std::string& fallback);
    std::optional<std::string> maybe_text(const std::string& key);
    // Returns the index of the value among `names`; `fallback` if the key was not written.
    std::size_t choice(const std::string& key, std::span<const std::string> names, std::size_t fallback = 0);
    // Returns the elements of a required array.
    const Array& array(const std::string& key);

    // Returns a reader of the table under the key; of an empty table if it was not written.
    TableReader child(const std::string& key);
    // Returns a reader of a table nested in this one, such as an element of an array.
    [[nodiscard]] TableReader inner(const std::string& path, const Value& table) const;
    // Describes a key to the listener. Callers use it if they know more than the function that reads the key.
    void describe_key(const std::string& key, Key what) const;
    // Sets the result under a key, in place of the written value: a finished child, or a default.
    void put(const std::string& key, Value value);

    // Returns all keys that were not asked for, which belong to a plugin, and makes them known.
    Table rest();
    // Returns the resulting table. Throws UnknownKey if a written key was not asked for.
    Value finish();

    // Returns all written keys in their order.
    [[nodiscard]] std::vector<std::string> keys() const;
    [[nodiscard]] bool has(const std::string& key) const { return table_.find(key) != nullptr; }
    [[nodiscard]] std::string path_of(const std::string& key) const;
    // Returns where the key was written, else where the table was.
    [[nodiscard]] Origin origin_of(const std::string& key) const;
    [[nodiscard]] const Origin& origin() const { return origin_; }
    [[nodiscard]] const std::string& path() const { return path_; }

private:
    void know(const std::string& key);
    [[nodiscard]] bool is_known(const std::string& key) const;
    [[nodiscard]] std::string label() const;

    Table table_;
    std::string path_;
    Origin origin_;
    const KeyListener* listener_;
    std::vector<std::string> known_;
    Table result_;
};

// Readers of one value, for elements of arrays.
std::int64_t read_integer(const std::string& path, const Value& value, const Range& range);
double read_number(const std::string& path, const Value& value, const Range& range);
const std::string& read_text(const std::string& path, const Value& value);
const Table& read_table(const std::string& path, const Value& value);

}  // namespace sluice::config
