#include "cli/health/health_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text/counted.hpp"
#include "base/text/scaled_number.hpp"

namespace sluice::cli {
namespace {

std::string line(bool good, const std::string& what, const std::string& detail) {
    return fmt::format("{}  {:<18} {}\n", good ? "ok " : "-- ", what, detail);
}

std::string plugin_lines(const Health& health) {
    std::string text;
    std::size_t good = 0;
    for (const PluginHealth& plugin : health.plugins) {
        good += plugin.trouble.empty() ? 1U : 0U;
        if (!plugin.trouble.empty()) {
            const bool names_file = plugin.trouble.starts_with(plugin.file);
            text += line(false, "plugin", (names_file ? "" : plugin.file + ": ") + plugin.trouble);
        }
    }
    return text + line(good > 0, "plugins", fmt::format("{} loaded", good));
}

// Lists the figures that are known; a negative one is not.
std::string usage_text(const sluice_usage_figures& usage) {
    std::string text;
    const auto add = [&](double value, std::string shown) { text += value < 0.0 ? "" : ", " + std::move(shown); };
    add(usage.busy_share, fmt::format("{:.0f} % busy", 100.0 * usage.busy_share));
    add(usage.power_watts, fmt::format("{:.0f} W", usage.power_watts));
    add(usage.celsius, fmt::format("{:.0f} C", usage.celsius));
    add(usage.clock_hertz, fmt::format("{:.0f} MHz", 1e-6 * usage.clock_hertz));
    return text + (usage.limit[0] == '\0' ? "" : fmt::format(", held back by {}", usage.limit));
}

std::string device_text(const DeviceHealth& device) {
    if (device.trouble.empty()) {
        return fmt::format("{}, {} free{}", device.name, byte_text(device.free_bytes),
                           device.usage ? usage_text(*device.usage) : "");
    }
    const std::string named = fmt::format("device '{}': ", device.kind);  // the line starts with it already
    return device.trouble.substr(device.trouble.starts_with(named) ? named.size() : 0);
}

nlohmann::ordered_json usage_json(const sluice_usage_figures& usage) {
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    for (const auto& [name, value] :
         {std::pair{"busy_share", usage.busy_share}, std::pair{"used_bytes", usage.used_bytes},
          std::pair{"power_watts", usage.power_watts}, std::pair{"celsius", usage.celsius},
          std::pair{"clock_hertz", usage.clock_hertz}}) {
        if (value >= 0.0) {
            json[name] = value;
        }
    }
    if (usage.limit[0] != '\0') {
        json["limit"] = usage.limit;
    }
    return json;
}

}  // namespace

std::string to_text(const Health& health) {
    std::string text = line(true, "sluice", SLUICE_VERSION);
    text += line(true, "machine",
                 fmt::format("{}, {} of memory available", counted(health.cores, "usable core"),
                             byte_text(health.memory_bytes)));
    text += plugin_lines(health);
    for (const DeviceHealth& device : health.devices) {
        text += line(device.trouble.empty(), "device " + device.kind, device_text(device));
    }
    text += line(health.openmp.size() <= 1, "threads",
                 fmt::format("{} compute, {}; OpenMP: {}, spins for {} turns", health.threads.threads,
                             counted(health.threads.workers, "data worker"), fmt::join(health.openmp, ", "),
                             health.spin.empty() ? "its own number of" : health.spin));
    std::vector<std::string> kernels;
    for (const KernelsHealth& provider : health.kernels) {
        std::string with;
        for (const registry::Library& library : provider.libraries) {
            with += fmt::format("{}{} {}", with.empty() ? ": " : ", ", library.name, library.version);
        }
        kernels.push_back(fmt::format("{} ({}{})", provider.name, provider.device, with));
    }
    text += line(!kernels.empty(), "kernels", kernels.empty() ? "none" : fmt::format("{}", fmt::join(kernels, ", ")));
    return text +
           line(health.writable, "folder",
                health.writable ? "runs can be written here" : "this folder cannot be written; use --runs FOLDER");
}

std::string to_json(const Health& health) {
    nlohmann::ordered_json json;
    json["sluice"] = SLUICE_VERSION;
    json["usable_cores"] = health.cores;
    json["available_memory_bytes"] = health.memory_bytes;
    json["compute_threads"] = health.threads.threads;
    json["data_workers"] = health.threads.workers;
    json["openmp"] = health.openmp;
    json["folder_is_writable"] = health.writable;
    for (auto& list : {"plugins", "devices", "kernels"}) {
        json[list] = nlohmann::ordered_json::array();
    }
    const auto add = [&](const char* list, nlohmann::ordered_json entry, const std::string& trouble) {
        entry["usable"] = trouble.empty();
        if (!trouble.empty()) {
            entry["reason"] = trouble;
        }
        json[list].push_back(std::move(entry));
    };
    for (const PluginHealth& plugin : health.plugins) {
        add("plugins", {{"file", plugin.file}, {"id", plugin.id}, {"version", plugin.version}}, plugin.trouble);
    }
    for (const DeviceHealth& device : health.devices) {
        nlohmann::ordered_json entry = {
            {"kind", device.kind}, {"name", device.name}, {"free_bytes", device.free_bytes}};
        if (device.usage) {
            entry["usage"] = usage_json(*device.usage);
        }
        add("devices", std::move(entry), device.trouble);
    }
    for (const KernelsHealth& provider : health.kernels) {
        nlohmann::ordered_json entry = {{"name", provider.name}, {"device", provider.device}};
        for (const registry::Library& library : provider.libraries) {
            entry["libraries"][library.name] = library.version;
        }
        json["kernels"].push_back(std::move(entry));
    }
    return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace sluice::cli
