// Strict reading of one table: every key that is asked for is known, all others are errors, and the table that results
// holds the keys in the order in which they were asked for, with the defaults of those that were not written.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/value.hpp"
#include "config/key.hpp"

namespace sluice::config {

// Throws Error(Exit::config) "place: text".
[[noreturn]] void fail(const Origin& origin, const std::string& text);
// "deblur.toml:9:1: data.batch is a string ("8"); an integer is needed".
[[noreturn]] void fail_needed(const std::string& path, const Value& value, const std::string& needed);

class TableReader {
public:
    // `path` is where the table stands in the pipeline ("data.train"); empty for the whole. listener: is told of each
    // key that is asked for; outlives it and its children; NULL: nobody is.
    TableReader(const Table& table, std::string path, Origin origin, const KeyListener* listener = nullptr);

    // The value, or nothing where the key was not written. Makes the key known.
    const Value* maybe(const std::string& key);
    // A key that must be there; `needed` ("a string") says what for the message.
    const Value& need(const std::string& key, const std::string& needed);

    std::int64_t integer(const std::string& key, const Range& range);
    std::int64_t integer(const std::string& key, const Range& range, std::int64_t fallback);
    std::optional<std::int64_t> maybe_integer(const std::string& key, const Range& range);
    // An integer, or "auto", which is also the default: nothing.
    std::optional<std::int64_t> integer_or_auto(const std::string& key, const Range& range);
    double number(const std::string& key, const Range& range, double fallback);
    // Bytes, written as "2 GiB".
    std::optional<std::uint64_t> maybe_size(const std::string& key);
    // The same, or "auto", which is also the default: nothing.
    std::optional<std::uint64_t> size_or_auto(const std::string& key);
    bool boolean(const std::string& key, bool fallback);
    std::string text(const std::string& key);
    std::string text(const std::string& key, const std::string& fallback);
    std::optional<std::string> maybe_text(const std::string& key);
    // One of the names, by its place among them; `fallback` where it was not written.
    std::size_t choice(const std::string& key, std::span<const std::string> names, std::size_t fallback = 0);
    // The elements of an array that must be there.
    const Array& array(const std::string& key);

    // A reader of the table under the key; of an empty one where it was not written.
    TableReader child(const std::string& key);
    // Of one that stands somewhere within this one.
    [[nodiscard]] TableReader inner(const std::string& path, const Value& table) const;
    // Says what is right for a key, where that is more than the function that reads it knows.
    void tell(const std::string& key, Key what) const;
    // The result under a key, in place of what was written: a finished child, or a default.
    void put(const std::string& key, Value value);

    // All keys that were not asked for: they belong to a plugin.
    Table rest();
    // The table that results. Throws where a key was not asked for.
    Value finish();

    // All keys that were written, in their order.
    [[nodiscard]] std::vector<std::string> keys() const;
    [[nodiscard]] bool has(const std::string& key) const { return table_.find(key) != nullptr; }
    [[nodiscard]] std::string path_of(const std::string& key) const;
    // Where the key was written, else where the table was.
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

// Readers of one value, for what stands in arrays.
std::int64_t read_integer(const std::string& path, const Value& value, const Range& range);
double read_number(const std::string& path, const Value& value, const Range& range);
const std::string& read_text(const std::string& path, const Value& value);
const Table& read_table(const std::string& path, const Value& value);

}  // namespace sluice::config
