#include "base/cgroup.hpp"

#include <fstream>

namespace sluice {

namespace fs = std::filesystem;

std::vector<fs::path> cgroup_folders(const std::string& controller) {
    std::string path;
    std::ifstream in("/proc/self/cgroup");
    for (std::string line; std::getline(in, line);) {  // "4:cpu,cpuacct:/path"
        const std::size_t first = line.find(':');
        const std::size_t second = line.find(':', first + 1);
        if (second == std::string::npos) {
            continue;
        }
        const std::string names = "," + line.substr(first + 1, second - first - 1) + ",";
        if (names.find("," + controller + ",") != std::string::npos) {
            path = line.substr(second + 1);
        }
    }
    const fs::path mount = fs::path("/sys/fs/cgroup") / controller;
    std::vector<fs::path> folders;
    for (fs::path below = fs::path(path).relative_path(); !below.empty(); below = below.parent_path()) {
        folders.push_back(mount / below);
    }
    folders.push_back(mount);
    return folders;
}

}  // namespace sluice
