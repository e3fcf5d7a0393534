// The cores and the memory that this process may use. Affinity and cgroup limits count, not the size of the machine.
// Other processes of the same job on this machine get shares of their own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace sluice {

// Returns the bytes that this process can still allocate: its share of the machine's available memory, or less if a
// cgroup (v1 or v2), RLIMIT_AS or RLIMIT_DATA leaves less.
[[nodiscard]] std::uint64_t available_memory();

// Returns the end of a message about a thread or memory that this process did not get: "; the process has limits of
// ulimit -u 64 (processes and threads of the user)". Empty without such limits.
[[nodiscard]] std::string limits_text();
// Same for memory alone, because limits on threads do not explain a failed allocation.
[[nodiscard]] std::string memory_limits_text();
// Returns "a thread could not be started: Resource temporarily unavailable", followed by limits_text().
[[nodiscard]] std::string no_thread_text();

// Returns how many cores the affinity mask and the cgroups' CPU quota (rounded up) allow this process; at least 1.
[[nodiscard]] int usable_cores();

// Returns the numbers of the cores to use. If the launcher bound none of its processes on this machine, each takes its
// own share of the cores, in order of local rank.
[[nodiscard]] std::vector<int> own_cores();

// Returns how many of the job's cores on this machine the launcher left without a process.
[[nodiscard]] int idle_cores();

// Returns the folders of this process's cgroup and of all its parents. `controller` is a v1 controller; empty: v2.
// In a container the path from /proc may not exist below the mount. Then only the mount itself, which is the
// container's own cgroup, has files to read.
[[nodiscard]] std::vector<std::filesystem::path> cgroup_folders(const std::string& controller);

// Lowers the priority of the calling thread: it gets about a tenth of the time of others on a contested core, and all
// of an idle core.
void lower_own_priority();

// Raises the limit of open files to its maximum. Data sets come in a thousand files and more, but 1024 is the usual
// limit.
void allow_many_files();

}  // namespace sluice
