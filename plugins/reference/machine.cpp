#include "machine.hpp"

#include <sched.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>
#include <utility>

namespace sluice::reference {
namespace {

constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

// The text behind the colon of the first line of /proc/cpuinfo that begins with `key`; empty where there is none.
std::string cpuinfo(const std::string& key) {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        const std::size_t colon = line.find(": ");
        if (line.starts_with(key) && colon != std::string::npos) {
            return line.substr(colon + 2);
        }
    }
    return {};
}

// MemAvailable of /proc/meminfo, which counts in KiB.
std::uint64_t machine_memory() {
    std::ifstream file("/proc/meminfo");
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string key;
        std::uint64_t kibibytes = 0;
        if (words >> key >> kibibytes && key == "MemAvailable:") {
            return kibibytes * 1024;
        }
    }
    return kUnlimited;
}

// The limit in a control group's file; "max", or no file, is none.
std::uint64_t limit_in(const std::string& path) {
    std::ifstream file(path);
    std::uint64_t bytes = 0;
    return file >> bytes ? bytes : kUnlimited;
}

// The tightest limit of group `path` and of all groups around it: each one binds. Inside a container the outer part of
// the path may not exist; its root is then the container's own group.
std::uint64_t limit_of(const std::string& mount, std::string path, const char* file) {
    std::uint64_t limit = limit_in(mount + "/" + file);
    while (path.size() > 1) {
        limit = std::min(limit, limit_in(mount + path + "/" + file));
        path.erase(path.find_last_of('/'));
    }
    return limit;
}

// Lines of /proc/self/cgroup are "id:controllers:path"; version 2 has id 0 and no controllers.
std::uint64_t group_limit() {
    std::uint64_t limit = kUnlimited;
    std::ifstream file("/proc/self/cgroup");
    for (std::string line; std::getline(file, line);) {
        const std::size_t first = line.find(':');
        const std::size_t second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) {
            continue;
        }
        const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
        const std::string path = line.substr(second + 1);
        if (controllers == ",,") {
            limit = std::min(limit, limit_of("/sys/fs/cgroup", path, "memory.max"));
        } else if (controllers.find(",memory,") != std::string::npos) {
            limit = std::min(limit, limit_of("/sys/fs/cgroup/memory", path, "memory.limit_in_bytes"));
        }
    }
    return limit;
}

}  // namespace

std::string cpu_name() {
    const std::string name = cpuinfo("model name");
    return name.empty() ? "CPU" : name;
}

std::string cpu_instructions() {
    // As the kernel names them, and as we do.
    constexpr std::pair<const char*, const char*> kNames[] = {
        {" avx2 ", "avx2"}, {" avx512f ", "avx512f"}, {" avx512_bf16 ", "avx512_bf16"}, {" amx_tile ", "amx"}};
    const std::string flags = " " + cpuinfo("flags") + " ";
    std::string found;
    for (const auto& [flag, name] : kNames) {
        if (flags.find(flag) != std::string::npos) {
            found += (found.empty() ? "" : " ") + std::string(name);
        }
    }
    return found;
}

std::uint32_t usable_cores() {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof(set), &set) != 0) {
        return 1;
    }
    return static_cast<std::uint32_t>(CPU_COUNT(&set));
}

std::uint64_t available_memory() { return std::min(machine_memory(), group_limit()); }

}  // namespace sluice::reference
