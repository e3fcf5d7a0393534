#include "cli/health/health.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <set>

#include "base/error.hpp"
#include "base/machine.hpp"
#include "registry/loading/probe.hpp"
#include "registry/optional/usage.hpp"
#include "run/network/threads.hpp"

namespace sluice::cli {
namespace {

using registry::ComponentManifest;
using registry::Kind;
using registry::Registry;

// Components of plugins that cannot be loaded; they are not opened again.
using Refused = std::set<const ComponentManifest*>;

// Opens the plugin in a child process first, in case it crashes or hangs. Returns why it cannot be used; empty: it can.
std::string why_not_loaded(const Registry& registry, const std::filesystem::path& file,
                           const registry::PluginManifest& manifest) {
    try {
        if (const std::string reason = registry::probe_open(file, manifest); !reason.empty()) {
            return file.string() + ": " + reason;
        }
        for (const ComponentManifest& component : manifest.components) {
            static_cast<void>(registry.open(component));
        }
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

std::vector<PluginHealth> examine_plugins(const Registry& registry, Refused& refused) {
    std::vector<PluginHealth> plugins;
    for (const registry::PluginFile& seen : registry.seen()) {
        if (seen.manifest) {
            plugins.push_back({seen.file.string(), seen.manifest->id, seen.manifest->version,
                               why_not_loaded(registry, seen.file, *seen.manifest)});
            for (const ComponentManifest& component : seen.manifest->components) {
                if (!plugins.back().trouble.empty()) {
                    refused.insert(&component);
                }
            }
        } else {
            plugins.push_back({seen.file.string(), {}, {}, seen.refusal});
        }
    }
    return plugins;
}

std::optional<sluice_usage_figures> usage_of(const registry::Device& device) {
    try {
        return registry::read_usage(device);
    } catch (const Error&) {
        return std::nullopt;  // usage figures are optional
    }
}

std::vector<DeviceHealth> examine_devices(const Registry& registry, const Refused& refused) {
    std::vector<DeviceHealth> devices;
    for (const ComponentManifest* manifest : registry.list(Kind::device)) {
        const std::string& kind = manifest->provides;
        if (refused.contains(manifest)) {
            devices.push_back({kind, {}, 0, "its plugin cannot be used", {}});
            continue;
        }
        try {
            const registry::Component component = registry.open(*manifest);
            const std::uint32_t count = registry::Device::count(component);
            for (std::uint32_t i = 0; i < count; ++i) {
                const registry::Device device(component, registry.options(component, {kind, {}, {}}), i);
                devices.push_back({kind, device.info().name, device.info().free_bytes, {}, usage_of(device)});
            }
        } catch (const Error& error) {
            devices.push_back({kind, {}, 0, error.what()});
        }
    }
    return devices;
}

// Returns nothing if the kernels cannot be loaded: the plugin's line gives the reason.
std::vector<registry::Library> libraries_of(const Registry& registry, const ComponentManifest& kernels) {
    try {
        return registry::libraries_of(registry.open(kernels));
    } catch (const Error&) {
        return {};
    }
}

}  // namespace

bool Health::is_good() const {
    return std::ranges::any_of(devices, [](const DeviceHealth& device) { return device.trouble.empty(); });
}

Health examine(const Registry& registry) {
    Health health;
    health.cores = usable_cores();
    health.memory_bytes = available_memory();
    Refused refused;
    health.plugins = examine_plugins(registry, refused);
    health.devices = examine_devices(registry, refused);
    for (const ComponentManifest* manifest : registry.list(Kind::kernel)) {
        health.kernels.push_back({manifest->provides, manifest->device, {}});
        if (!refused.contains(manifest)) {
            health.kernels.back().libraries = libraries_of(registry, *manifest);
        }
    }
    health.threads = run::plan_threads({.cores = health.cores,
                                        .step_seconds = 1.0,
                                        .prefetched_samples = std::numeric_limits<int>::max(),
                                        .workers = {}});
    // Kernel plugins are loaded by now and have brought their OpenMP runtime. A second runtime next to libgomp would
    // run unbounded threads of its own on the same cores.
    health.openmp = run::openmp_runtimes();
    const char* spin = std::getenv("GOMP_SPINCOUNT");
    health.spin = spin == nullptr ? "" : spin;
    health.writable = ::access(".", W_OK) == 0;
    return health;
}

}  // namespace sluice::cli
