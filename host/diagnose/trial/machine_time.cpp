#include "diagnose/trial/machine_time.hpp"

#include <unistd.h>

#include <array>
#include <fstream>
#include <string>

namespace sluice::diagnose {

MachineTime read_machine_time() {
    constexpr std::size_t kIdle = 3;
    constexpr std::size_t kWaitsForDisk = 4;
    static const auto ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
    std::array<double, 8> fields{};  // user, nice, system, idle, iowait, irq, softirq, steal
    std::ifstream in("/proc/stat");
    std::string name;
    in >> name;
    MachineTime time;
    for (std::size_t i = 0; i < fields.size() && in >> fields[i]; ++i) {
        time.all += fields[i] / ticks;
        time.busy += i != kIdle && i != kWaitsForDisk ? fields[i] / ticks : 0.0;
    }
    return time;
}

}  // namespace sluice::diagnose
