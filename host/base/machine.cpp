#include "base/machine.hpp"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/process_place.hpp"

namespace sluice {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

// Returns the first number in a file of /proc or /sys; nullopt for "max", "-1" or a missing file.
std::optional<std::uint64_t> read_number(const fs::path& file) {
    std::ifstream in(file);
    std::string word;
    if (!(in >> word) || word.find_first_not_of("0123456789") != std::string::npos) {
        return std::nullopt;
    }
    std::uint64_t number = 0;
    return std::istringstream(word) >> number ? std::optional(number) : std::nullopt;
}

// Returns the number after `key` in a file of lines "key number"; 0 if the key is missing.
std::uint64_t read_key(const fs::path& file, std::string_view key) {
    std::ifstream in(file);
    std::string name;
    for (std::uint64_t number = 0; in >> name >> number; in.ignore(std::numeric_limits<std::streamsize>::max(), '\n')) {
        if (name == key) {
            return number;
        }
    }
    return 0;
}

// Returns the bytes left below one limit. Page cache (inactive files) does not count as used, because the kernel frees
// it under pressure.
std::uint64_t left_below(const fs::path& limit_file, const fs::path& usage_file, const fs::path& stat_file,
                         std::string_view cache_key) {
    const std::optional<std::uint64_t> limit = read_number(limit_file);
    if (!limit) {
        return kUnlimited;
    }
    const std::uint64_t used = read_number(usage_file).value_or(0);
    const std::uint64_t needed = used - std::min(used, read_key(stat_file, cache_key));
    return *limit - std::min(*limit, needed);
}

double quota_of(std::optional<std::uint64_t> quota, std::optional<std::uint64_t> period) {
    return quota && period && *period > 0 ? static_cast<double>(*quota) / static_cast<double>(*period)
                                          : std::numeric_limits<double>::infinity();
}

// Reads quota and period from cpu.max: "150000 100000".
double quota_v2(const fs::path& file) {
    std::ifstream in(file);
    std::string quota;
    std::uint64_t period = 0;
    if (!(in >> quota >> period)) {
        return std::numeric_limits<double>::infinity();
    }
    return quota_of(read_number(file), period);
}

cpu_set_t mask_of(pid_t process) {
    cpu_set_t mask;
    CPU_ZERO(&mask);
    if (::sched_getaffinity(process, sizeof mask, &mask) != 0) {
        CPU_SET(0, &mask);
    }
    return mask;
}

int cores_of(pid_t process) {
    const cpu_set_t mask = mask_of(process);
    return CPU_COUNT(&mask);
}

// Returns the environment variables of a process; empty if it belongs to another user.
std::vector<std::string> environment_of(pid_t process) {
    std::ifstream in(fs::path("/proc") / std::to_string(process) / "environ", std::ios::binary);
    std::vector<std::string> variables;
    for (std::string one; std::getline(in, one, '\0');) {
        variables.push_back(one);
    }
    return variables;
}

pid_t parent_of(pid_t process) {
    std::ifstream in(fs::path("/proc") / std::to_string(process) / "status");
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("PPid:")) {
            return std::stoi(line.substr(5));
        }
    }
    return 0;
}

// Returns the number of cores for all processes of the job on this machine. The launcher may have bound each process to
// some of its own cores, so the launcher's affinity counts too.
int cores_of_job() {
    if (process_place().cores) {
        return *process_place().cores;
    }
    pid_t process = ::getpid();
    while (process > 0 && is_started_by_launcher(environment_of(process))) {
        process = parent_of(process);
    }
    return std::max(cores_of(::getpid()), process > 0 ? cores_of(process) : 0);
}

// Returns nullopt without a limit.
std::optional<std::uint64_t> limit_of(__rlimit_resource_t resource) {
    rlimit limit{};
    if (::getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
        return std::nullopt;
    }
    return limit.rlim_cur;
}

// Returns the bytes of a line "VmSize:   1234 kB" in /proc/self/status.
std::uint64_t read_status(std::string_view key) {
    std::ifstream in("/proc/self/status");
    std::uint64_t kib = 0;
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with(key)) {
            std::istringstream(line.substr(key.size())) >> kib;
        }
    }
    return kib * 1024;
}

// Returns the bytes left below an rlimit; `used` is the key of its usage in /proc/self/status.
std::uint64_t left_of(__rlimit_resource_t resource, std::string_view used) {
    const std::optional<std::uint64_t> limit = limit_of(resource);
    return limit ? *limit - std::min(*limit, read_status(used)) : kUnlimited;
}

}  // namespace

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

std::uint64_t available_memory() {
    std::uint64_t available = read_key("/proc/meminfo", "MemAvailable:") * 1024;
    for (const fs::path& folder : cgroup_folders("")) {
        available = std::min(available, left_below(folder / "memory.max", folder / "memory.current",
                                                   folder / "memory.stat", "inactive_file"));
    }
    for (const fs::path& folder : cgroup_folders("memory")) {
        available = std::min(available, left_below(folder / "memory.limit_in_bytes", folder / "memory.usage_in_bytes",
                                                   folder / "memory.stat", "total_inactive_file"));
    }
    available /= static_cast<std::uint64_t>(std::max(process_place().local_count, 1));
    return std::min({available, left_of(RLIMIT_AS, "VmSize:"), left_of(RLIMIT_DATA, "VmData:")});
}

namespace {

// Builds "; the process has limits of ulimit -v 600000 (KiB of address space)".
class LimitsText {
public:
    void add(std::optional<std::uint64_t> limit, const char* name, std::uint64_t unit, const char* of) {
        if (limit) {
            text_ += (text_.empty() ? "; the process has limits of " : ", ") + std::string(name) + " " +
                     std::to_string(*limit / unit) + " (" + of + ")";
        }
    }
    void add_memory() {
        constexpr std::uint64_t kKib = 1024;
        add(limit_of(RLIMIT_AS), "ulimit -v", kKib, "KiB of address space");
        add(limit_of(RLIMIT_DATA), "ulimit -d", kKib, "KiB of data");
    }
    [[nodiscard]] const std::string& text() const { return text_; }

private:
    std::string text_;
};

}  // namespace

std::string limits_text() {
    LimitsText limits;
    limits.add(limit_of(RLIMIT_NPROC), "ulimit -u", 1, "processes and threads of the user");
    limits.add_memory();
    for (const fs::path& folder : cgroup_folders("")) {
        limits.add(read_number(folder / "pids.max"), "cgroup pids.max", 1, "processes and threads");
    }
    return limits.text();
}

std::string memory_limits_text() {
    LimitsText limits;
    limits.add_memory();
    return limits.text();
}

std::string no_thread_text() {
    const auto reason = std::make_error_code(std::errc::resource_unavailable_try_again);
    return "a thread could not be started: " + reason.message() + limits_text();
}

int usable_cores() {
    double cores = cores_of_job();
    for (const fs::path& folder : cgroup_folders("")) {
        cores = std::min(cores, quota_v2(folder / "cpu.max"));
    }
    for (const fs::path& folder : cgroup_folders("cpu")) {
        cores = std::min(cores,
                         quota_of(read_number(folder / "cpu.cfs_quota_us"), read_number(folder / "cpu.cfs_period_us")));
    }
    return std::clamp(static_cast<int>(std::ceil(cores / process_place().local_count)), 1, cores_of(::getpid()));
}

std::vector<int> own_cores() {
    const cpu_set_t mask = mask_of(::getpid());
    std::vector<int> cores;
    for (int core = 0; core < CPU_SETSIZE; ++core) {
        if (CPU_ISSET(core, &mask)) {
            cores.push_back(core);
        }
    }
    const auto share = static_cast<std::size_t>(usable_cores());
    if (process_place().local_count > 1 && share < cores.size()) {
        const std::size_t first = static_cast<std::size_t>(process_place().local_rank) * share % cores.size();
        std::rotate(cores.begin(), cores.begin() + static_cast<std::ptrdiff_t>(first), cores.end());
        cores.resize(share);
    }
    return cores;
}

int idle_cores() { return std::max(0, cores_of_job() - process_place().local_count * cores_of(::getpid())); }

void lower_own_priority() {
    constexpr int kNicer = 10;
    static_cast<void>(::setpriority(PRIO_PROCESS, 0, ::getpriority(PRIO_PROCESS, 0) + kNicer));  // Linux: per thread
}

void allow_many_files() {
    rlimit files{};
    if (::getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < files.rlim_max) {
        files.rlim_cur = files.rlim_max;
        ::setrlimit(RLIMIT_NOFILE, &files);
    }
}

}  // namespace sluice
