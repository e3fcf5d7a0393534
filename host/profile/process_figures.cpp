#include "profile/process_figures.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <string_view>

namespace sluice::profile {
namespace {

// Returns the bytes of a line "VmHWM:   1234 kB" in /proc/self/status.
std::uint64_t status_bytes(std::string_view key) {
    std::ifstream in("/proc/self/status");
    std::string name;
    std::uint64_t kilobytes = 0;
    while (in >> name) {
        if (name == key && in >> kilobytes) {
            return kilobytes * 1024;
        }
        in.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    }
    return 0;
}

}  // namespace

double seconds_since_start() {
    std::ifstream in("/proc/self/stat");
    std::string line;
    std::getline(in, line);
    // The second field is the program's name in brackets, which may hold spaces; the 22nd is the start in ticks.
    std::istringstream fields(line.substr(line.rfind(')') + 1));
    std::string field;
    for (int i = 3; i <= 22; ++i) {
        fields >> field;
    }
    if (!fields) {  // a container may hide /proc
        return 0.0;
    }
    const double start = std::stod(field) / static_cast<double>(::sysconf(_SC_CLK_TCK));
    timespec since_boot{};
    ::clock_gettime(CLOCK_BOOTTIME, &since_boot);
    return static_cast<double>(since_boot.tv_sec) + 1e-9 * static_cast<double>(since_boot.tv_nsec) - start;
}

// The file stays open, so that a step of a recorded window allocates nothing.
std::uint64_t resident_bytes() {
    static const int file = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    std::array<char, 128> text{};
    if (file < 0 || ::pread(file, text.data(), text.size() - 1, 0) <= 0) {
        return 0;
    }
    char* after_size = nullptr;
    std::strtoull(text.data(), &after_size, 10);
    return std::strtoull(after_size, nullptr, 10) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::uint64_t peak_resident_bytes() { return status_bytes("VmHWM:"); }

}  // namespace sluice::profile
