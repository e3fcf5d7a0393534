#include "base/signals/stop_signals.hpp"

#include <csignal>

namespace sluice {

std::vector<int> stop_signals() {
    std::vector<int> all{SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU};
    struct sigaction hangup {};
    ::sigaction(SIGHUP, nullptr, &hangup);
    if (hangup.sa_handler != SIG_IGN) {
        all.push_back(SIGHUP);
    }
    return all;
}

bool is_of_user(int stop_signal) { return stop_signal == SIGINT || stop_signal == SIGTERM; }

}  // namespace sluice
