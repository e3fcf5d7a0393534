// From the ABI's status to the host's exception, and from the host's values to the ABI's trees.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/value.hpp"
#include "registry/loading/plugin_call.hpp"
#include "registry/loading/registry.hpp"
#include "sluice/options.h"

namespace sluice::registry {

// A table as the ABI's tree; owns all nodes. Keep it as long as the plugin may look (one call).
class OptionTree {
public:
    explicit OptionTree(const Table& table);
    OptionTree(const OptionTree&) = delete;
    OptionTree& operator=(const OptionTree&) = delete;
    [[nodiscard]] const sluice_value* root() const { return &root_; }

private:
    sluice_value convert(const Value& value);
    sluice_value convert(const Table& table);

    Table source_;  // keeps the text alive
    std::deque<std::vector<sluice_value>> items_;
    std::deque<std::vector<sluice_pair>> pairs_;
    sluice_value root_{};
};

// Calls `function(args..., &error)`; a status other than SLUICE_OK becomes Error: "what: message (component id
// version)", with the exit code of the status (SLUICE_INVALID config, SLUICE_BAD_SAMPLE data, SLUICE_DEVICE_LOST
// device, SLUICE_REPLICA_LOST worker_lost, else plugin); SLUICE_NO_MEMORY becomes OutOfMemory.
[[noreturn]] void throw_status(const Component& component, const std::string& what, sluice_status status,
                               const sluice_error& error);

// What the plugin says of a refusal, at most what its buffer holds.
std::string reason_of(const sluice_error& error);

template <class Function, class... Args>
void call(const Component& component, const std::string& what, Function function, Args... args) {
    sluice_error error{};
    const sluice_status status = enter(component, function, args..., &error);
    if (status != SLUICE_OK) {
        throw_status(component, what, status, error);
    }
}

}  // namespace sluice::registry
