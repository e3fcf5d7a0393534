// Reads components by name, alone and in lists.
#include <fmt/format.h>

#include "config/merge.hpp"
#include "config/read.hpp"

namespace sluice::config {

ComponentSpec read_component(TableReader& table) {
    table.describe_key("", {.kind = Key::Kind::component});
    ComponentSpec component;
    component.use = table.text("use");
    component.origin = table.origin_of("use");
    component.options = table.rest();
    return component;
}

ComponentSpec read_component(TableReader& table, const std::string& fallback) {
    if (table.has("use")) {
        return read_component(table);
    }
    table.describe_key("", {.kind = Key::Kind::component});
    ComponentSpec component;
    component.use = table.text("use", fallback);
    component.options = table.rest();
    return component;
}

namespace {

// Reads one element of a list of components: a name, or a table with `use`.
ComponentSpec read_element(const TableReader& parent, const std::string& path, const Value& value) {
    if (value.as_string() != nullptr) {
        return {read_text(path, value), value.origin, {}};
    }
    if (value.as_table() == nullptr) {
        fail_needed(path, value, "a name, or a table with 'use',");
    }
    TableReader table = parent.inner(path, value);
    return read_component(table);
}

}  // namespace

std::vector<ComponentSpec> read_components(TableReader& table, const std::string& key,
                                           const std::vector<std::string>& fallback) {
    table.describe_key(key, {.kind = Key::Kind::components});
    const Value* written = table.maybe(key);
    if (written == nullptr) {
        Array names;
        std::vector<ComponentSpec> components;
        for (const std::string& name : fallback) {
            names.push_back({name, {}});
            components.push_back({name, {}, {}});
        }
        table.put(key, {std::move(names), {}});
        return components;
    }
    const std::string path = table.path_of(key);
    if (written->as_array() == nullptr) {
        return {read_element(table, path, *written)};
    }
    std::vector<ComponentSpec> components;
    for (const Value& item : *written->as_array()) {
        components.push_back(read_element(table, join_path(path, std::to_string(components.size())), item));
    }
    return components;
}

}  // namespace sluice::config
