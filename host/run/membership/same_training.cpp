#include "run/membership/same_training.hpp"

#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/process_place.hpp"
#include "base/sha256.hpp"
#include "base/value.hpp"
#include "data/loader/fingerprint.hpp"
#include "plan/plan.hpp"
#include "run/membership/agreement.hpp"

namespace sluice::run {
namespace {

constexpr std::uint64_t kSamples = 32;  // compared samples, spread over the data

std::string hash_of(const std::filesystem::path& file) {
    const std::string bytes = read_file(file);
    const std::string_view whole[] = {bytes};
    return sha256(whole);
}

// Such plugins are not compared: the first process may have loaded more policies to measure them. The chosen policy is.
bool has_policies_alone(const registry::PluginManifest& manifest) {
    return std::ranges::all_of(manifest.components, [](const registry::ComponentManifest& component) {
        return component.kind == registry::Kind::precision;
    });
}

// Returns the plugins of the search path whose libraries are loaded.
std::set<std::filesystem::path> loaded_plugins(const registry::Registry& registry) {
    std::set<std::filesystem::path> loaded;
    ::dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* files) {
            std::error_code none;
            static_cast<std::set<std::filesystem::path>*>(files)->insert(
                std::filesystem::weakly_canonical(info->dlpi_name, none));
            return 0;
        },
        &loaded);
    std::set<std::filesystem::path> plugins;
    for (const registry::PluginFile& seen : registry.seen()) {
        std::error_code none;
        const auto file = std::filesystem::weakly_canonical(seen.file, none);
        if (loaded.contains(file) && !(seen.manifest && has_policies_alone(*seen.manifest))) {
            plugins.insert(file);
        }
    }
    return plugins;
}

void add_plugins(const registry::Registry& registry, Traits& traits) {
    for (const std::filesystem::path& file : loaded_plugins(registry)) {
        traits.push_back({"program", fmt::format("sha256 of {}", file.filename().string()), hash_of(file)});
    }
}

void add_values(const Table& table, const std::string& path, Traits& traits) {
    for (const auto& [key, value] : table.entries()) {
        const std::string name = path.empty() ? key : path + "." + key;
        if (const Table* const inner = value.as_table()) {
            add_values(*inner, name, traits);
        } else {
            traits.push_back({"pipeline", name, to_toml(value)});
        }
    }
}

void add_data(const data::Chain& chain, Traits& traits) {
    const std::string what = fmt::format("[{}]", chain.purpose());
    traits.push_back({what, "samples", std::to_string(chain.length())});
    for (const registry::Field& field : chain.fields()) {
        traits.push_back({what, field.name, to_string(field.spec)});
    }
    for (const data::SampleFingerprint& look : data::fingerprint_samples(chain, true, kSamples)) {
        traits.push_back({what, fmt::format("hash of sample {}", look.index), look.hash});
    }
}

}  // namespace

void expect_same_training(const config::PipelineSpec& spec, const registry::Registry& registry,
                          const plan::Toolbox& tools, const data::Chain& train, const data::Chain* validation,
                          const registry::Processes& processes) {
    if (process_place().count > 1 && processes.count() == 1) {
        throw Error(Exit::config,
                    fmt::format("{}: this is process {} of {} that were started together, but strategy '{}' trains in "
                                "one process; set strategy.use = \"multi_worker\"",
                                to_string(spec.strategy.origin), process_place().rank, process_place().count,
                                spec.strategy.use));
    }
    if (processes.count() == 1) {
        return;
    }
    Traits traits;
    traits.push_back({"program", "version", SLUICE_VERSION});
    traits.push_back({"program", "sha256 of host", hash_of("/proc/self/exe")});
    add_plugins(registry, traits);
    add_values(spec.resolved, "", traits);
    traits.push_back({"kind of device", "", tools.device->kind()});
    add_data(train, traits);
    if (validation != nullptr) {
        add_data(*validation, traits);
    }
    expect_same(processes, traits);
}

void expect_same_progress(const registry::Registry& registry, const Replica& replica, std::uint64_t step,
                          const registry::Processes& processes) {
    if (processes.count() == 1) {
        return;
    }
    Traits traits{{"precision policy", "", replica.chosen_policy()},
                  {"number of parameters", "", std::to_string(plan::parameter_total(replica.network().plan().graph))},
                  {"step to resume from", "", std::to_string(step)}};
    add_plugins(registry, traits);
    expect_same(processes, traits);
}

}  // namespace sluice::run
