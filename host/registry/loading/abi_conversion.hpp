// Conversions at the ABI: a plugin's status to an exception, and a table of options to a tree of sluice_value.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/value.hpp"
#include "registry/loading/component.hpp"
#include "registry/loading/plugin_call.hpp"
#include "sluice/options.h"

namespace sluice::registry {

// A table as a tree of sluice_value. Owns all nodes, so keep it until the plugin call has returned.
class OptionTree {
public:
    explicit OptionTree(const Table& table);
    OptionTree(const OptionTree&) = delete;
    OptionTree& operator=(const OptionTree&) = delete;
    [[nodiscard]] const sluice_value* root() const { return &root_; }

private:
    sluice_value convert(const Value& value);
    sluice_value convert(const Table& table);

    Table source_;  // owns the strings that the nodes point to
    std::deque<std::vector<sluice_value>> items_;
    std::deque<std::vector<sluice_pair>> pairs_;
    sluice_value root_{};
};

// Throws Error("what: message (component id version)") for a status other than SLUICE_OK. Its exit code is config for
// SLUICE_INVALID, data for SLUICE_BAD_SAMPLE, device for SLUICE_DEVICE_LOST, replica_lost for SLUICE_REPLICA_LOST and
// else plugin. Throws OutOfMemory for SLUICE_NO_MEMORY, and PeerFailed if a lost replica's process failed at the start.
[[noreturn]] void throw_status(const Component& component, const std::string& what, sluice_status status,
                               const sluice_error& error);

// The reason that the plugin gave in `error`, as one line that can be shown.
std::string reason_of(const sluice_error& error);

// Calls `function(args..., &error)` and throws as throw_status() does if it fails.
template <class Function, class... Args>
void call(const Component& component, const std::string& what, Function function, Args... args) {
    sluice_error error{};
    const sluice_status status = enter(component, function, args..., &error);
    if (status != SLUICE_OK) {
        throw_status(component, what, status, error);
    }
}

}  // namespace sluice::registry
