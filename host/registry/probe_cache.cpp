#include "registry/probe_cache.hpp"

#include <chrono>
#include <exception>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/log.hpp"
#include "registry/search_path.hpp"

namespace sluice::registry {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

json stamp(const fs::path& plugin) {
    const auto changed = fs::last_write_time(plugin).time_since_epoch();
    return {{"size", fs::file_size(plugin)},
            {"changed_ns", std::chrono::duration_cast<std::chrono::nanoseconds>(changed).count()}};
}

json read_entries(const fs::path& file) {
    json entries = fs::exists(file) ? json::parse(read_file(file), nullptr, false) : json::object();
    return entries.is_object() ? entries : json::object();
}

}  // namespace

ProbeCache::ProbeCache() {
    if (const auto folder = cache_folder()) {
        file_ = *folder / "probes.json";
    }
}

bool ProbeCache::has_passed(const fs::path& plugin) const {
    try {
        const json entries = file_.empty() ? json::object() : read_entries(file_);
        const auto entry = entries.find(fs::canonical(plugin).string());
        return entry != entries.end() && *entry == stamp(plugin);
    } catch (const std::exception&) {
        return false;
    }
}

void ProbeCache::remember(const fs::path& plugin) const {
    if (file_.empty()) {
        return;
    }
    try {
        fs::create_directories(file_.parent_path());
        json entries = read_entries(file_);
        entries[fs::canonical(plugin).string()] = stamp(plugin);
        write_file_atomically(file_, entries.dump(2));
    } catch (const std::exception& problem) {
        log::debug(std::string("the cache of probed plugins was not written: ") + problem.what());
    }
}

}  // namespace sluice::registry
