#include "cli/training/stop_code.hpp"

#include <algorithm>
#include <csignal>
#include <vector>

#include "base/error.hpp"
#include "base/signals/stop_handler.hpp"
#include "launch/launcher_connection.hpp"

namespace sluice::cli {
namespace {

int own_stop_signal() { return stop_signal() != 0 ? stop_signal() : SIGTERM; }

// Under mpirun or srun only one process may get the signal, but all exit with its code.
int stop_signal_of_all(const registry::Processes& processes) {
    constexpr double kTimeout = 5.0;  // seconds; the run is saved
    try {
        const std::vector<int> all = processes.gather(stop_signal(), "the signal", kTimeout);
        const auto had_it = std::ranges::find_if(all, [](int signal) { return signal != 0; });
        return had_it != all.end() ? *had_it : SIGTERM;
    } catch (const Error&) {  // another process was lost or has exited
        return own_stop_signal();
    }
}

}  // namespace

int report_stop(const registry::Processes& processes) {
    launch::LauncherConnection* const launcher = launch::own_connection();
    const int code = 128 + (launcher != nullptr ? own_stop_signal() : stop_signal_of_all(processes));
    if (launcher != nullptr) {
        launcher->report_stopped(code, stop_signal());
    }
    return code;
}

}  // namespace sluice::cli
