// What this machine and this installation can do: found by opening every device and loading every plugin.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "registry/loading/registry.hpp"
#include "registry/objects/libraries.hpp"
#include "run/network/thread_plan.hpp"
#include "sluice/kind/usage.h"

namespace sluice::cli {

struct PluginHealth {
    std::string file, id, version;
    std::string trouble;  // why it cannot be used; empty where it can
};

struct DeviceHealth {
    std::string kind;  // "cuda"
    std::string name;
    std::uint64_t free_bytes = 0;
    std::string trouble;  // why there is none; empty where there is
    std::optional<sluice_usage_figures> usage = {};
};

struct KernelsHealth {
    std::string name, device;
    std::vector<registry::Library> libraries;
};

struct Health {
    int cores = 0;
    std::uint64_t memory_bytes = 0;
    std::vector<PluginHealth> plugins;
    std::vector<DeviceHealth> devices;
    std::vector<KernelsHealth> kernels;
    run::ThreadPlan threads;
    std::vector<std::string> openmp;  // its runtimes in this process; more than one compete for the cores
    std::string spin;                 // GOMP_SPINCOUNT; empty: not set
    bool writable = false;            // the folder at hand

    [[nodiscard]] bool is_good() const;  // something can be trained here
};

Health examine(const registry::Registry& registry);

std::string to_text(const Health& health);
std::string to_json(const Health& health);

}  // namespace sluice::cli
