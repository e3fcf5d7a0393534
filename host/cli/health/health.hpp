// Finds out what this machine and this installation can do, by opening every device and loading every plugin.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "registry/loading/registry.hpp"
#include "registry/optional/libraries.hpp"
#include "run/network/thread_plan.hpp"
#include "sluice/kind/usage.h"

namespace sluice::cli {

struct PluginHealth {
    std::string file, id, version;
    std::string trouble;  // why it cannot be used; empty: it can
};

struct DeviceHealth {
    std::string kind;  // "cuda"
    std::string name;
    std::uint64_t free_bytes = 0;
    std::string trouble;  // why it cannot be used; empty: it can
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
    std::vector<std::string> openmp;  // runtimes in this process; several compete for the cores
    std::string spin;                 // GOMP_SPINCOUNT; empty: not set
    bool writable = false;            // the working folder can be written

    [[nodiscard]] bool is_good() const;  // at least one device can be used
};

Health examine(const registry::Registry& registry);

}  // namespace sluice::cli
