#include "run/train/signals.hpp"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <initializer_list>

namespace sluice::run {
namespace {

// A signal handler can only use static objects.
std::atomic<int> received{0};
std::atomic<bool> user_has_asked{false};
std::atomic<const char*> what_it_does{nullptr};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<const char*>::is_always_lock_free);

void write_text(const char* text) {
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text, std::strlen(text));
}

// Only a second Ctrl-C or SIGTERM exits before saving: schedulers send the other signals more than once.
void on_signal(int number) {
    const int error = errno;
    const bool is_of_user = number == SIGINT || number == SIGTERM;
    if (is_of_user && user_has_asked.exchange(true)) {
        ::_exit(128 + number);
    }
    int none = 0;
    if (received.compare_exchange_strong(none, number)) {
        write_text("\n");
        write_text(what_it_does);
        write_text(is_of_user ? "; once more to leave at once\n" : "\n");
    }
    errno = error;
}

}  // namespace

void catch_signals(const char* text) {
    what_it_does = text;
    struct sigaction action {};
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGXCPU}) {
        struct sigaction before {};
        ::sigaction(number, nullptr, &before);
        if (number != SIGHUP || before.sa_handler != SIG_IGN) {  // nohup ignores SIGHUP, and that stays
            ::sigaction(number, &action, nullptr);
        }
    }
}

void ask_to_stop(int number) { received.store(number); }

int stop_signal() { return received.load(); }

}  // namespace sluice::run
