#include "launch/signal_queue.hpp"

#include <sys/signalfd.h>
#include <unistd.h>

#include "base/signals/stop_signals.hpp"

namespace sluice::launch {

SignalQueue::SignalQueue() {
    sigset_t wanted;
    ::sigemptyset(&wanted);
    ::sigaddset(&wanted, SIGCHLD);
    for (const int signal : stop_signals()) {
        ::sigaddset(&wanted, signal);
    }
    ::sigprocmask(SIG_BLOCK, &wanted, &before_);
    handle_ = ::signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
}

SignalQueue::~SignalQueue() {
    ::close(handle_);
    ::sigprocmask(SIG_SETMASK, &before_, nullptr);
}

int SignalQueue::next() const {
    signalfd_siginfo info{};
    return ::read(handle_, &info, sizeof(info)) == sizeof(info) ? static_cast<int>(info.ssi_signo) : 0;
}

}  // namespace sluice::launch
