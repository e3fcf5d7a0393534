// What this process may use of the machine: affinity and cgroup limits count, not what the machine has, and those that
// a launcher has started beside it have a share of their own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sluice {

// Bytes that can still be taken: the machine's available memory, or less if a cgroup (v1 or v2), RLIMIT_AS or
// RLIMIT_DATA leaves less.
[[nodiscard]] std::uint64_t available_memory();

// The end of a message about a thread or memory that this process does not get: "; the process has limits of ulimit -u
// 64 (processes and threads of the user)". Empty without such limits.
[[nodiscard]] std::string limits_text();
// The same of memory alone: limits of threads say nothing about it.
[[nodiscard]] std::string memory_limits_text();

// Cores that the affinity mask and the cgroups' CPU quota (rounded up) allow; at least 1.
[[nodiscard]] int usable_cores();

// Their numbers: where a launcher has started others beside this process and has bound none, each takes its own in
// turn.
[[nodiscard]] std::vector<int> own_cores();

// Those that a launcher has for the processes that it has started here, and has bound none of them to.
[[nodiscard]] int idle_cores();

// The calling thread gets a tenth of what others get on a core that both want, and all of one that nobody else wants.
void lower_own_priority();

// Lets this process open as many files at once as it may: data sets come in a thousand files and more, where 1024 is
// the usual limit.
void allow_many_files();

}  // namespace sluice
