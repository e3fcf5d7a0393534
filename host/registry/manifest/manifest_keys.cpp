#include "registry/manifest/manifest_keys.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/nearest.hpp"
#include "config/host_keys.hpp"

namespace sluice::registry {
namespace {

using Words = std::vector<std::string>;

const Words kPluginKeys = {"id", "version", "about", "abi", "arch", "component"};
const Words kComponentKeys = {"kind",    "id",    "provides",    "about", "device",
                              "options", "draws", "sees_others", "knows", "check"};
const Words kOptionKeys = {"type", "array", "min", "max", "choices", "required", "unit", "help", "default", "since"};
const Words kCheckKeys = {"inputs", "dtypes", "options", "then", "files"};

class Remarks {
public:
    void expect_known(const Value& value, const Words& known, const std::string& owner) {
        if (const Table* table = value.as_table()) {
            expect_known(*table, known, owner);
        }
    }
    void expect_known(const Table& table, const Words& known, const std::string& owner) {
        for (const auto& [key, value] : table.entries()) {
            if (std::ranges::count(known, key) == 0) {
                all_.push_back(fmt::format("{}: unknown key '{}' of {}{}", to_string(value.origin), key, owner,
                                           suggestion(key, known)));
            }
        }
    }
    void expect_kind(const Value& kind, const Words& known) {
        const std::string* name = kind.as_string();
        if (name != nullptr && std::ranges::count(known, *name) == 0) {
            all_.push_back(fmt::format("{}: there is no kind {}, so the component is ignored{}", to_string(kind.origin),
                                       to_toml(kind), suggestion(*name, known)));
        }
    }
    Words take() { return std::move(all_); }

private:
    Words all_;
};

std::span<const Value> items(const Value* value) {
    return value == nullptr || value->as_array() == nullptr ? std::span<const Value>() : *value->as_array();
}

}  // namespace

// A device's own options are in a separate table, so they cannot collide with keys of [device].
bool is_host_key(std::string_view kind, std::string_view key) {
    const auto is_it = [&](const config::HostKey& host) {
        return host.path == kind && host.key == key && !host.reaches_options;
    };
    return key == "use" || (kind != "device" && std::ranges::any_of(config::kHostKeys, is_it));
}

Words unread_of_plugin(const Table& manifest, std::span<const std::string_view> kinds) {
    Remarks remarks;
    remarks.expect_known(manifest, kPluginKeys, "the plugin");
    for (const Value& component : items(manifest.find("component"))) {
        const Value* kind = component.as_table() != nullptr ? component.as_table()->find("kind") : nullptr;
        if (kind != nullptr) {
            remarks.expect_kind(*kind, {kinds.begin(), kinds.end()});
        }
    }
    return remarks.take();
}

Words unread_of_component(const Table& component) {
    Remarks remarks;
    remarks.expect_known(component, kComponentKeys, "a component");
    const Value* options = component.find("options");
    if (options != nullptr && options->as_table() != nullptr) {
        for (const auto& [name, option] : options->as_table()->entries()) {
            remarks.expect_known(option, kOptionKeys, fmt::format("option '{}'", name));
        }
    }
    for (const Value& check : items(component.find("check"))) {
        remarks.expect_known(check, kCheckKeys, "a check");
    }
    return remarks.take();
}

}  // namespace sluice::registry
