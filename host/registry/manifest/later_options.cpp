#include "registry/manifest/later_options.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sluice::registry {
namespace {

std::string_view view(sluice_text text) { return {text.ptr, text.len}; }

// Both values must fit the option's schema.
bool is_same(const sluice_value& value, const Value& other) {
    if (const Array* items = other.as_array()) {
        return value.kind == SLUICE_ARRAY &&
               std::equal(items->begin(), items->end(), value.as.items, value.as.items + value.count,
                          [](const Value& item, const sluice_value& given) { return is_same(given, item); });
    }
    if (const bool* boolean = other.as_bool()) {
        return (value.as.i != 0) == *boolean;
    }
    if (const std::int64_t* integer = other.as_int()) {
        return value.kind == SLUICE_FLOAT ? value.as.f == static_cast<double>(*integer) : value.as.i == *integer;
    }
    if (const double* number = other.as_float()) {
        return (value.kind == SLUICE_INT ? static_cast<double>(value.as.i) : value.as.f) == *number;
    }
    return other.as_string() != nullptr && view({value.as.text, value.count}) == *other.as_string();
}

}  // namespace

void add_later_options(LaterOptions& all, const PluginManifest& plugin) {
    for (const ComponentManifest& component : plugin.components) {
        for (const OptionSchema& option : component.options) {
            if (component.kind == Kind::layer && !option.since.empty()) {
                all.push_back({component.provides + "." + option.name, option.since, *option.default_value});
            }
        }
    }
}

std::optional<std::string> unknown_option(std::span<const LaterOption> all, const ComponentManifest& kernels,
                                          const sluice_node& node) {
    for (const LaterOption& option : all) {
        const std::string_view type = view(node.type);
        const std::string_view name = option.name;
        if (!name.starts_with(type) || name.substr(type.size(), 1) != "." ||
            std::ranges::find(kernels.known_options, option.name) != kernels.known_options.end()) {
            continue;
        }
        for (std::uint64_t i = 0; i < node.options->count; ++i) {
            const sluice_pair& pair = node.options->as.pairs[i];
            if (view(pair.key) == name.substr(type.size() + 1) && !is_same(pair.value, option.default_value)) {
                return fmt::format("does not list {}, an option since {}, under 'knows' in its manifest", option.name,
                                   option.since);
            }
        }
    }
    return std::nullopt;
}

}  // namespace sluice::registry
