// The folders of the kernel's limits (cgroups, v1 and v2) that apply to this process.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sluice {

// Returns the folders of this process's cgroup and of all its parents. `controller` is a v1 controller; empty: v2.
// In a container the path from /proc may not exist below the mount. Then only the mount itself, which is the
// container's own cgroup, has files to read.
std::vector<std::filesystem::path> cgroup_folders(const std::string& controller);

}  // namespace sluice
