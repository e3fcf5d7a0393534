#include "registry/loading/abi_conversion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/control.hpp"
#include "base/log.hpp"
#include "base/machine.hpp"
#include "base/peer_exit.hpp"

namespace sluice::registry {
namespace {

std::uint32_t line_of(const Origin& origin) {
    return origin.kind == Origin::Kind::file ? static_cast<std::uint32_t>(origin.line) : 0;
}

// All other statuses, and unknown ones of a newer ABI, count as SLUICE_FAILED.
Exit exit_of(sluice_status status) {
    switch (status) {
        case SLUICE_INVALID:
            return Exit::config;
        case SLUICE_BAD_SAMPLE:
            return Exit::data;
        case SLUICE_DEVICE_LOST:
            return Exit::device;
        case SLUICE_REPLICA_LOST:
            return Exit::replica_lost;
        default:
            return Exit::plugin;
    }
}

// A plugin's text field, which may lack its NUL.
template <std::size_t N>
std::string_view bounded(const char (&text)[N]) {
    return {text, ::strnlen(text, N)};
}

}  // namespace

OptionTree::OptionTree(const Table& table) : source_(table) { root_ = convert(source_); }

sluice_value OptionTree::convert(const Value& value) {
    if (const Table* table = value.as_table()) {
        sluice_value out = convert(*table);
        out.line = line_of(value.origin);
        return out;
    }
    sluice_value out{};
    out.line = line_of(value.origin);
    if (const bool* boolean = value.as_bool()) {
        out.kind = SLUICE_BOOL;
        out.as.i = *boolean ? 1 : 0;
    } else if (const std::int64_t* integer = value.as_int()) {
        out.kind = SLUICE_INT;
        out.as.i = *integer;
    } else if (const double* number = value.as_float()) {
        out.kind = SLUICE_FLOAT;
        out.as.f = *number;
    } else if (const std::string* text = value.as_string()) {
        out.kind = SLUICE_STRING;
        out.count = text->size();
        out.as.text = text->data();
    } else if (const Array* array = value.as_array()) {
        std::vector<sluice_value> items;
        items.reserve(array->size());
        for (const Value& item : *array) {
            items.push_back(convert(item));
        }
        out.kind = SLUICE_ARRAY;
        out.count = items.size();
        out.as.items = items_.emplace_back(std::move(items)).data();
    }
    return out;
}

sluice_value OptionTree::convert(const Table& table) {
    std::vector<sluice_pair> pairs;
    pairs.reserve(table.entries().size());
    for (const auto& [key, value] : table.entries()) {
        pairs.push_back({{key.data(), key.size()}, convert(value)});
    }
    std::sort(pairs.begin(), pairs.end(), [](const sluice_pair& a, const sluice_pair& b) {
        return std::string_view(a.key.ptr, a.key.len) < std::string_view(b.key.ptr, b.key.len);
    });
    sluice_value out{};
    out.kind = SLUICE_TABLE;
    out.count = pairs.size();
    out.as.pairs = pairs_.emplace_back(std::move(pairs)).data();
    return out;
}

std::string reason_of(const sluice_error& error) {
    const std::string_view message = bounded(error.message);
    return message.empty() ? "it gave no reason" : shown(message);
}

void throw_status(const Component& component, const std::string& what, sluice_status status,
                  const sluice_error& error) {
    if (component.check != nullptr) {
        component.check->report();
    }
    const std::string_view message = bounded(error.message);
    const std::string_view file = bounded(error.file);
    if (!file.empty()) {
        log::debug(
            fmt::format("{} failed at {}:{} of the plugin's source", component.manifest->id, shown(file), error.line));
    }
    const std::string text =
        fmt::format("{}: {} ({} {})", what, message.empty() ? "it failed and gave no reason" : shown(message),
                    component.manifest->id, component.plugin->version);
    if (status == SLUICE_NO_MEMORY) {
        throw OutOfMemory(text + memory_limits_text());
    }
    if (const auto peer = status == SLUICE_REPLICA_LOST ? peer_exit_in(message) : std::nullopt) {
        throw PeerFailed(*peer, text);
    }
    throw Error(exit_of(status), text, !message.empty());
}

}  // namespace sluice::registry
