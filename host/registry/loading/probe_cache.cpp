#include "registry/loading/probe_cache.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>

#include "base/files.hpp"
#include "base/log.hpp"
#include "base/sha256.hpp"
#include "base/user_folders.hpp"
#include "registry/loading/needed_libraries.hpp"

namespace sluice::registry {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

json stamp(const fs::path& file) {
    struct stat now {};
    if (::stat(file.c_str(), &now) != 0) {
        throw std::system_error(errno, std::generic_category(), file.string());
    }
    return fmt::format("{} bytes, inode {} on {}, {}.{:09}", now.st_size, now.st_ino, now.st_dev, now.st_mtim.tv_sec,
                       now.st_mtim.tv_nsec);
}

// Description of the first core, without clock rates, which change over time.
std::string processor() {
    std::ifstream file("/proc/cpuinfo");
    std::string text;
    for (std::string line; std::getline(file, line) && !line.empty();) {
        if (!line.starts_with("cpu MHz") && !line.starts_with("bogomips") && !line.starts_with("BogoMIPS")) {
            text += line + "\n";
        }
    }
    return text;
}

std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    return fmt::format("{}={}\n", name, value == nullptr ? "" : value);
}

// Fingerprint of everything that loading depends on except the plugin and its libraries.
json environment_fingerprint() {
    static const std::string cpu = processor();
    const std::string program = stamp("/proc/self/exe");
    const std::string libraries = variable("LD_LIBRARY_PATH") + variable("LD_PRELOAD");
    return sha256(std::array<std::string_view, 3>{cpu, program, libraries});
}

fs::path aside(fs::path entry) { return entry += ".loading"; }

bool is_unchanged(const fs::path& plugin, const json& entry) {
    if (!entry.is_object() || entry.value("file", json()) != stamp(plugin) ||
        entry.value("surroundings", json()) != environment_fingerprint()) {
        return false;
    }
    const json libraries = entry.value("libraries", json::object());
    for (const auto& [library, then] : libraries.items()) {
        if (then != stamp(library)) {
            return false;
        }
    }
    return true;
}

}  // namespace

ProbeCache::ProbeCache() {
    if (const auto folder = cache_folder()) {
        folder_ = *folder / "probes";
    }
}

fs::path ProbeCache::entry_of(const fs::path& plugin) const {
    const std::string path = fs::canonical(plugin).string();
    constexpr std::size_t kDigits = 24;  // 96 bits, enough to avoid collisions
    return folder_ / (sha256(std::array<std::string_view, 1>{path}).substr(0, kDigits) + ".json");
}

bool ProbeCache::has_passed(const fs::path& plugin) const {
    try {
        const fs::path entry = folder_.empty() ? fs::path() : entry_of(plugin);
        return fs::exists(entry) && is_unchanged(plugin, json::parse(read_file(entry), nullptr, false));
    } catch (const std::exception&) {
        return false;
    }
}

bool ProbeCache::take(const fs::path& plugin) const {
    std::error_code failed;
    if (has_passed(plugin)) {
        const fs::path entry = entry_of(plugin);
        fs::rename(entry, aside(entry), failed);  // fails if another process has taken the entry
        return !failed;
    }
    return false;
}

void ProbeCache::remember(const fs::path& plugin) const {
    if (folder_.empty()) {
        return;
    }
    try {
        const fs::path entry = entry_of(plugin);
        std::error_code none;
        fs::rename(aside(entry), entry, none);
        if (has_passed(plugin)) {
            return;
        }
        json now{{"plugin", fs::canonical(plugin).string()},
                 {"file", stamp(plugin)},
                 {"surroundings", environment_fingerprint()},
                 {"libraries", json::object()}};
        for (const fs::path& library : needed_libraries(fs::absolute(plugin))) {
            now["libraries"][library.string()] = stamp(library);
        }
        fs::create_directories(folder_);
        write_file_atomically(entry, now.dump(2));
    } catch (const std::exception& problem) {
        log::debug(std::string("could not write the cache of plugin probes: ") + problem.what());
    }
}

}  // namespace sluice::registry
