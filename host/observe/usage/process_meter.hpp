// Measures what this process uses of the machine: CPU, memory, disks, and what it waits for.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "observe/usage/proc_file.hpp"
#include "observe/usage/row.hpp"

namespace sluice::observe {

// Folders of the kernel's files; tests have their own.
struct ProcFolders {
    std::filesystem::path self = "/proc/self";
    std::vector<std::filesystem::path> cgroups;  // that have a cpu.stat
};

// The folders of this process.
ProcFolders own_proc_folders();

class ProcessMeter {
public:
    explicit ProcessMeter(const ProcFolders& folders = own_proc_folders());
    // Sets the columns from `cpu` to `involuntary_switches`, but not those of thread classes. Counters become rates of
    // the `seconds` since the last call.
    void read(double seconds, ProcBuffer& buffer, Row& row);
    // The files that could not be read, for one message: "/proc/self/io"; empty: all could.
    [[nodiscard]] std::string missing() const;

private:
    // Counters since the start of the process or of the machine; nullopt: not known.
    struct Counters {
        double cpu = 0.0;
        double minor_faults = 0.0;
        double major_faults = 0.0;
        double voluntary_switches = 0.0;
        double involuntary_switches = 0.0;
        std::optional<double> throttled;  // seconds
        std::optional<double> disk_read;
        std::optional<double> disk_write;
        std::optional<double> network_in;
        std::optional<double> network_out;
    };

    [[nodiscard]] Counters count(ProcBuffer& buffer) const;
    void add_network(std::string_view text, Counters& counters) const;

    std::filesystem::path self_;
    ProcFile statm_;
    ProcFile io_;
    ProcFile network_;
    std::vector<ProcFile> throttling_;
    Counters before_;
};

}  // namespace sluice::observe
