// Reads components by name, alone and in lists.
#include <fmt/format.h>

#include <functional>
#include <utility>

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
ComponentSpec read_element(const TableReader& parent, const std::string& path, const Value& value,
                           const std::function<void(TableReader&)>& read_own) {
    if (value.as_string() != nullptr) {
        return {read_text(path, value), value.origin, {}};
    }
    if (value.as_table() == nullptr) {
        fail_needed(path, value, "a name, or a table with 'use',");
    }
    TableReader table = parent.inner(path, value);
    read_own(table);
    return read_component(table);
}

// `read_own` reads the host's keys of the element with that number, if it is a table.
std::vector<ComponentSpec> read_elements(TableReader& table, const std::string& key,
                                         const std::vector<std::string>& fallback,
                                         const std::function<void(std::size_t number, TableReader&)>& read_own) {
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
    std::vector<ComponentSpec> components;
    const auto add = [&](const std::string& place, const Value& value) {
        const std::size_t number = components.size();
        components.push_back(
            read_element(table, place, value, [&](TableReader& element) { read_own(number, element); }));
    };
    if (written->as_array() == nullptr) {
        add(path, *written);
        return components;
    }
    for (const Value& item : *written->as_array()) {
        add(join_path(path, std::to_string(components.size())), item);
    }
    return components;
}

}  // namespace

std::vector<ComponentSpec> read_components(TableReader& table, const std::string& key,
                                           const std::vector<std::string>& fallback) {
    return read_elements(table, key, fallback, [](std::size_t, TableReader&) {});
}

std::vector<ObserverSpec> read_observers(TableReader& table) {
    std::vector<std::size_t> held;
    std::vector<ComponentSpec> components =
        read_elements(table, "use", {"progress", "metrics", "images"}, [&](std::size_t number, TableReader& element) {
            if (element.boolean("hold", false)) {
                held.push_back(number);
            }
        });
    std::vector<ObserverSpec> observers;
    for (ComponentSpec& component : components) {
        observers.push_back({std::move(component), false});
    }
    for (const std::size_t number : held) {
        observers[number].hold = true;
    }
    return observers;
}

}  // namespace sluice::config
