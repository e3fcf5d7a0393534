#include "observe/run_queue.hpp"

#include <cstdint>
#include <fstream>
#include <sstream>

namespace sluice::observe {

std::optional<double> thread_queue_seconds() {
    std::ifstream file("/proc/thread-self/schedstat");
    std::string line;
    std::getline(file, line);
    return queue_seconds_in(line);
}

std::optional<double> queue_seconds_in(const std::string& schedstat) {
    std::istringstream stream(schedstat);
    std::uint64_t computing = 0;
    std::uint64_t queued = 0;
    if (!(stream >> computing >> queued) || computing == 0) {
        return std::nullopt;
    }
    return 1e-9 * static_cast<double>(queued);
}

}  // namespace sluice::observe
