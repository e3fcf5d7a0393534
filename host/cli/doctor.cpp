#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <limits>

#include "base/error.hpp"
#include "base/machine.hpp"
#include "cli/command.hpp"
#include "plan/listing.hpp"
#include "registry/objects.hpp"
#include "run/thread_plan.hpp"
#include "run/threads.hpp"

namespace sluice::cli {
namespace {

void line(bool good, const std::string& what, const std::string& detail) {
    std::cout << fmt::format("{}  {:<18} {}\n", good ? "ok " : "-- ", what, detail);
}

// Opens every device that any plugin offers.
bool report_devices(const registry::Registry& registry) {
    bool any = false;
    for (const registry::ComponentManifest* manifest : registry.list(registry::Kind::device)) {
        try {
            const registry::Component component = registry.find(registry::Kind::device, manifest->provides, {});
            const std::uint32_t count = registry::Device::count(component);
            for (std::uint32_t i = 0; i < count; ++i) {
                const registry::Device device(component, registry.options(component, {manifest->provides, {}, {}}), i);
                line(true, "device " + manifest->provides,
                     fmt::format("{}, {}", device.info().name,
                                 plan::byte_text(static_cast<double>(device.info().memory_bytes))));
                any = true;
            }
        } catch (const Error& error) {
            line(false, "device " + manifest->provides, error.what());
        }
    }
    return any;
}

// Kernel plugins bring their OpenMP runtime. A second one beside libgomp would have threads of its own, which nobody
// bounds, on the same cores.
void report_threads(const registry::Registry& registry) {
    for (const registry::ComponentManifest* manifest : registry.list(registry::Kind::kernel)) {
        try {
            static_cast<void>(registry.find(registry::Kind::kernel, manifest->provides, {}, manifest->device));
        } catch (const Error&) {
            continue;  // said where it is asked for
        }
    }
    const run::ThreadPlan plan = run::plan_threads({.cores = usable_cores(),
                                                    .step_seconds = 1.0,
                                                    .samples_ahead = std::numeric_limits<int>::max(),
                                                    .workers = {}});
    const std::vector<std::string> runtimes = run::openmp_runtimes();
    const char* spin = std::getenv("GOMP_SPINCOUNT");
    line(runtimes.size() <= 1, "threads",
         fmt::format("{} compute, {} data worker(s); OpenMP: {}, spins for {} turns", plan.threads, plan.workers,
                     fmt::join(runtimes, ", "), spin == nullptr ? "its own number of" : spin));
}

}  // namespace

int doctor(const Arguments& arguments) {
    namespace po = boost::program_options;
    Common common;
    po::options_description options("options");
    add_common(options, common);
    po::variables_map values;
    if (!parse(arguments, "doctor", options, values)) {
        return 0;
    }
    line(true, "sluice", SLUICE_VERSION);
    line(true, "machine",
         fmt::format("{} usable core(s), {} of memory available", usable_cores(),
                     plan::byte_text(static_cast<double>(available_memory()))));
    const registry::Registry registry = list_plugins(common);
    std::size_t good = 0;
    for (const registry::Seen& seen : registry.seen()) {
        good += seen.manifest ? 1U : 0U;
        if (!seen.manifest) {
            line(false, "plugin", fmt::format("{}: {}", seen.file.string(), seen.refusal));
        }
    }
    line(good > 0, "plugins", fmt::format("{} found", good));
    const bool device = report_devices(registry);
    std::string providers;
    for (const registry::ComponentManifest* manifest : registry.list(registry::Kind::kernel)) {
        providers += (providers.empty() ? "" : ", ") + manifest->provides + " (" + manifest->device + ")";
    }
    report_threads(registry);
    line(!providers.empty(), "kernels", providers.empty() ? "none" : providers);
    const bool writable = ::access(".", W_OK) == 0;
    line(writable, "folder",
         writable ? "runs can be written here" : "this folder cannot be written; use --runs FOLDER");
    return good > 0 && device ? 0 : static_cast<int>(Exit::device);
}

}  // namespace sluice::cli
