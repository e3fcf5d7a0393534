#include "config/derived_pipeline.hpp"

#include <fmt/format.h>

#include <variant>
#include <vector>

#include "config/override.hpp"
#include "config/pipeline_text.hpp"

namespace sluice::config {
namespace {

// Keys of a path, up to the first array.
std::vector<std::string> keys_to_array(const Table& table, const std::string& path) {
    std::vector<std::string> keys;
    const Table* place = &table;
    for (std::size_t begin = 0; begin <= path.size() && place != nullptr;) {
        const std::size_t end = std::min(path.find('.', begin), path.size());
        keys.push_back(path.substr(begin, end - begin));
        const Value* const value = place->find(keys.back());
        place = value != nullptr ? value->as_table() : nullptr;
        begin = end + 1;
    }
    return keys;
}

// Makes `text` the origin of a value, which listings show as a comment, and leaves its parts without one.
void comment(Value& value, const std::string& text) {
    value.origin = {Origin::Kind::command_line, text, 0, 0};
    if (auto* const items = std::get_if<Array>(&value.data)) {
        for (Value& item : *items) {
            comment(item, "");
        }
    } else if (auto* const table = std::get_if<Table>(&value.data)) {
        for (auto& [key, inner] : table->entries()) {
            comment(inner, "");
        }
    }
}

const Value& value_at(const Table& table, const std::vector<std::string>& keys) {
    const Table* place = &table;
    for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
        place = place->find(keys[i])->as_table();
    }
    return *place->find(keys.back());
}

// Puts a value into the table. A value that is there already keeps its comment in front of the new one.
void put(Table& table, const std::vector<std::string>& keys, Value value, const std::string& text) {
    Table* place = &table;
    for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
        if (place->find(keys[i]) == nullptr) {
            place->set(keys[i], {Table{}, {}});
        }
        place = &std::get<Table>(place->find(keys[i])->data);
    }
    const Value* const before = place->find(keys.back());
    const std::string all = before != nullptr ? before->origin.file + "; " + text : text;
    comment(value, all);
    place->set(keys.back(), std::move(value));
}

}  // namespace

std::string derived_pipeline(const Table& resolved, const std::string& included, std::span<const ValueChange> changes) {
    Table changed = resolved;
    Table written;
    for (const ValueChange& change : changes) {
        apply_set(changed, change.set);
        const std::vector<std::string> keys = keys_to_array(changed, change.set.substr(0, change.set.find('=')));
        put(written, keys, value_at(changed, keys), change.comment);
    }
    return fmt::format("version = 1\ninclude = {}\n\n{}", to_toml(Value{included, {}}), to_pipeline_toml(written));
}

}  // namespace sluice::config
