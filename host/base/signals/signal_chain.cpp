#include "base/signals/signal_chain.hpp"

namespace sluice {

void call_previous_handler(const struct sigaction& before, int signal, siginfo_t* info, void* context) {
    if ((before.sa_flags & SA_SIGINFO) != 0) {
        before.sa_sigaction(signal, info, context);
    } else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
        before.sa_handler(signal);
    } else {
        ::sigaction(signal, &before, nullptr);
        if (info->si_code <= 0) {
            ::raise(signal);  // sent by kill() or raise(): it does not recur by itself
        }
    }
}

}  // namespace sluice
