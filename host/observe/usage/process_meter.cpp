#include "observe/usage/process_meter.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <system_error>

#include "base/machine.hpp"
#include "observe/cpu_time.hpp"

namespace sluice::observe {
namespace {

// Returns the number in that column of a line, counted from 0.
std::optional<double> number_in_column(std::string_view line, int column) {
    std::size_t at = 0;
    std::optional<std::uint64_t> number;
    for (int i = 0; i <= column; ++i) {
        number = next_number(line, at);
    }
    return number ? std::optional(static_cast<double>(*number)) : std::nullopt;
}

std::optional<double> as_double(std::optional<std::uint64_t> number) {
    return number ? std::optional(static_cast<double>(*number)) : std::nullopt;
}

// Version 1 of cgroups counts nanoseconds, version 2 microseconds.
std::optional<double> throttled_seconds(std::string_view cpu_stat) {
    if (const auto nanoseconds = number_of(cpu_stat, "throttled_time")) {
        return 1e-9 * static_cast<double>(*nanoseconds);
    }
    const auto microseconds = number_of(cpu_stat, "throttled_usec");
    return microseconds ? std::optional(1e-6 * static_cast<double>(*microseconds)) : std::nullopt;
}

}  // namespace

ProcFolders own_proc_folders() {
    ProcFolders folders;
    for (const char* const controller : {"cpu", ""}) {
        for (const std::filesystem::path& folder : cgroup_folders(controller)) {
            std::error_code none;
            if (std::filesystem::exists(folder / "cpu.stat", none)) {
                folders.cgroups.push_back(folder);
            }
        }
        if (!folders.cgroups.empty()) {
            break;
        }
    }
    return folders;
}

ProcessMeter::ProcessMeter(const ProcFolders& folders)
    : self_(folders.self), statm_(self_ / "statm"), io_(self_ / "io"), network_(self_ / "net/dev") {
    for (const std::filesystem::path& folder : folders.cgroups) {
        throttling_.emplace_back(folder / "cpu.stat");
    }
    const auto buffer = std::make_unique<ProcBuffer>();
    before_ = count(*buffer);
}

void ProcessMeter::read(double seconds, ProcBuffer& buffer, Row& row) {
    const Counters now = count(buffer);
    const auto set_rate = [&](std::size_t place, double later, double earlier) {
        if (seconds > 0.0) {
            row[place] = std::max(0.0, later - earlier) / seconds;
        }
    };
    const auto set_known = [&](std::size_t place, std::optional<double> later, std::optional<double> earlier) {
        if (later && earlier) {
            set_rate(place, *later, *earlier);
        }
    };
    set_rate(column::kCpu, now.cpu, before_.cpu);
    set_rate(column::kMinorFaults, now.minor_faults, before_.minor_faults);
    set_rate(column::kMajorFaults, now.major_faults, before_.major_faults);
    set_rate(column::kVoluntarySwitches, now.voluntary_switches, before_.voluntary_switches);
    set_rate(column::kInvoluntarySwitches, now.involuntary_switches, before_.involuntary_switches);
    set_known(column::kThrottled, now.throttled, before_.throttled);
    set_known(column::kDiskReadBytes, now.disk_read, before_.disk_read);
    set_known(column::kDiskWriteBytes, now.disk_write, before_.disk_write);
    set_known(column::kNetworkInBytes, now.network_in, before_.network_in);
    set_known(column::kNetworkOutBytes, now.network_out, before_.network_out);
    if (const auto pages = number_in_column(statm_.read(buffer), 1)) {
        row[column::kResidentBytes] = *pages * static_cast<double>(::sysconf(_SC_PAGESIZE));
    }
    before_ = now;
}

std::string ProcessMeter::missing() const {
    const auto buffer = std::make_unique<ProcBuffer>();
    std::string names;
    const auto check = [&](const ProcFile& file, const char* name) {
        if (file.read(*buffer).empty()) {
            names += (names.empty() ? "" : ", ") + (self_ / name).string();
        }
    };
    check(statm_, "statm");
    check(io_, "io");
    check(network_, "net/dev");
    return names;
}

ProcessMeter::Counters ProcessMeter::count(ProcBuffer& buffer) const {
    Counters counters;
    rusage usage{};
    if (::getrusage(RUSAGE_SELF, &usage) == 0) {
        counters.minor_faults = static_cast<double>(usage.ru_minflt);
        counters.major_faults = static_cast<double>(usage.ru_majflt);
        counters.voluntary_switches = static_cast<double>(usage.ru_nvcsw);
        counters.involuntary_switches = static_cast<double>(usage.ru_nivcsw);
    }
    counters.cpu = process_cpu_seconds();
    for (const ProcFile& file : throttling_) {
        if (const auto seconds = throttled_seconds(file.read(buffer))) {
            counters.throttled = counters.throttled.value_or(0.0) + *seconds;
        }
    }
    const std::string_view io = io_.read(buffer);
    counters.disk_read = as_double(number_of(io, "read_bytes"));
    counters.disk_write = as_double(number_of(io, "write_bytes"));
    add_network(network_.read(buffer), counters);
    return counters;
}

// "  eth0: bytes packets ... (8 columns of received data) bytes ..." after two lines of titles. The loopback device is
// left out, since its traffic leaves no machine.
void ProcessMeter::add_network(std::string_view text, Counters& counters) const {
    for (std::size_t end = 0; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1)) {
        const std::string_view line = text.substr(0, end);
        const std::size_t colon = line.find(':');
        const std::size_t name = line.find_first_not_of(' ');
        if (colon == std::string_view::npos || line.substr(name, colon - name) == "lo") {
            continue;
        }
        const std::string_view numbers = line.substr(colon + 1);
        counters.network_in = counters.network_in.value_or(0.0) + number_in_column(numbers, 0).value_or(0.0);
        counters.network_out = counters.network_out.value_or(0.0) + number_in_column(numbers, 8).value_or(0.0);
    }
}

}  // namespace sluice::observe
