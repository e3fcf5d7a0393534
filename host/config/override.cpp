#include "config/override.hpp"

#include <fmt/format.h>

#include <charconv>
#include <vector>

#include "base/error.hpp"
#include "base/toml/toml.hpp"
#include "config/merge.hpp"

namespace sluice::config {
namespace {

void mark(Value& value, const Origin& origin) {
    value.origin = origin;
    if (auto* items = std::get_if<Array>(&value.data)) {
        for (Value& item : *items) {
            mark(item, origin);
        }
    } else if (auto* table = std::get_if<Table>(&value.data)) {
        for (auto& [key, inner] : table->entries()) {
            mark(inner, origin);
        }
    }
}

Value parse_value(const std::string& text) {
    try {
        Table parsed = parse_toml("value = " + text, "--set");
        if (parsed.entries().size() == 1) {
            return parsed.entries().front().second;
        }
    } catch (const Error&) {
        // Not a TOML value, but a bare word or a path, which users need not quote twice for the shell.
    }
    return {text, {}};
}

class Setter {
public:
    Setter(const std::string& set, const std::string& option) : origin_{Origin::Kind::command_line, option, 0, 0} {
        const std::size_t equals = set.find('=');
        if (equals == std::string::npos) {
            fail("the form is a.b=value");
        }
        split(set.substr(0, equals));
        value_ = parse_value(set.substr(equals + 1));
        mark(value_, origin_);
    }

    void apply(Table& pipeline) {
        if (keys_.front() == "include") {
            fail("include is read from files only");
        }
        set_in(pipeline, 0);
    }

private:
    void split(const std::string& path) {
        std::size_t at = 0;
        for (std::size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.', at)) {
            keys_.push_back(path.substr(at, dot - at));
            at = dot + 1;
        }
        keys_.push_back(path.substr(at));
        for (const std::string& key : keys_) {
            if (key.empty()) {
                fail(fmt::format("\"{}\" has an empty key; the form is a.b=value", path));
            }
        }
    }

    void set_in(Table& table, std::size_t depth) {
        const std::string& key = keys_[depth];
        const std::string path = path_;
        path_ = join_path(path, key);
        if (depth + 1 < keys_.size()) {
            if (table.find(key) == nullptr) {
                table.set(key, {Table{}, origin_});
            }
            descend(*table.find(key), depth + 1);
            return;
        }
        if (key == "use" && changes_component(table, value_)) {
            drop_component_keys(table, path);
        }
        table.set(key, std::move(value_));
    }

    void set_in(Array& items, std::size_t depth) {
        const std::string& key = keys_[depth];
        std::size_t index = 0;
        const auto [end, bad] = std::from_chars(key.data(), key.data() + key.size(), index);
        if (bad != std::errc{} || end != key.data() + key.size() || index >= items.size()) {
            fail(fmt::format("{} is an array of {}, which has no '{}'{}", path_, items.size(), key,
                             items.empty() ? "" : fmt::format("; an index from 0 to {} is needed", items.size() - 1)));
        }
        path_ = join_path(path_, key);
        if (depth + 1 < keys_.size()) {
            descend(items[index], depth + 1);
        } else {
            items[index] = std::move(value_);
        }
    }

    void descend(Value& into, std::size_t depth) {
        if (auto* table = std::get_if<Table>(&into.data)) {
            set_in(*table, depth);
        } else if (auto* items = std::get_if<Array>(&into.data)) {
            set_in(*items, depth);
        } else {
            fail(fmt::format("{} is {} ({}), which has no '{}'", path_, kind_name(into), to_toml(into), keys_[depth]));
        }
    }

    [[noreturn]] void fail(const std::string& why) const { throw Error(Exit::config, to_string(origin_) + ": " + why); }

    Origin origin_;
    std::vector<std::string> keys_;
    Value value_;
    std::string path_;  // path of the keys walked so far, for messages
};

}  // namespace

void apply_set(Table& pipeline, const std::string& set) { apply_set(pipeline, set, "--set " + set); }

void apply_set(Table& pipeline, const std::string& set, const std::string& option) {
    Setter(set, option).apply(pipeline);
}

}  // namespace sluice::config
