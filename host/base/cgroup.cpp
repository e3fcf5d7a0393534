#include "base/cgroup.hpp"

#include <fstream>

namespace sluice {

std::vector<std::filesystem::path> cgroup_folders(const std::string& controller) {
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
    const std::filesystem::path mount = std::filesystem::path("/sys/fs/cgroup") / controller;
    std::vector<std::filesystem::path> folders;
    for (std::filesystem::path below = std::filesystem::path(path).relative_path(); !below.empty();
         below = below.parent_path()) {
        folders.push_back(mount / below);
    }
    folders.push_back(mount);
    return folders;
}

}  // namespace sluice
