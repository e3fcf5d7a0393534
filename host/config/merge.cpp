#include "config/merge.hpp"

#include <algorithm>

#include "config/host_keys.hpp"

namespace sluice::config {
namespace {

// True for the keys that a table keeps when its `use` changes.
bool is_host_key(std::string_view path, std::string_view key) {
    return key == "use" || std::any_of(std::begin(kHostKeys), std::end(kHostKeys),
                                       [&](const HostKey& host) { return host.path == path && host.key == key; });
}

}  // namespace

std::string join_path(std::string_view path, std::string_view key) {
    return path.empty() ? std::string(key) : std::string(path) + "." + std::string(key);
}

bool changes_component(const Table& table, const Value& next) {
    const Value* now = table.find("use");
    return now != nullptr && now->as_string() != nullptr && next.as_string() != nullptr &&
           *now->as_string() != *next.as_string();
}

void drop_component_keys(Table& table, std::string_view path) {
    std::erase_if(table.entries(), [&](const Table::Entry& entry) {
        return !is_host_key(path, entry.first) && entry.second.origin.kind != Origin::Kind::command_line;
    });
}

void merge_over(Table& base, Table over, const std::string& path) {
    if (const Value* use = over.find("use"); use != nullptr && changes_component(base, *use)) {
        drop_component_keys(base, path);
    }
    for (auto& [key, value] : over.entries()) {
        Value* below = base.find(key);
        if (below != nullptr && below->as_table() != nullptr && value.as_table() != nullptr) {
            merge_over(std::get<Table>(below->data), std::move(std::get<Table>(value.data)), join_path(path, key));
            below->origin = value.origin;
        } else {
            base.set(key, std::move(value));
        }
    }
}

}  // namespace sluice::config
