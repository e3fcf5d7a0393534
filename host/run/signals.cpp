#include "run/signals.hpp"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstring>

namespace sluice::run {
namespace {

// A signal handler can reach only static memory.
std::atomic<int> received{0};
std::atomic<const char*> what_it_does{nullptr};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<const char*>::is_always_lock_free);

void tell(const char* text) { [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text, std::strlen(text)); }

void on_signal(int number) {
    if (received.exchange(number) != 0) {
        ::_exit(128 + number);
    }
    tell("\n");
    tell(what_it_does);
    tell("; once more to leave at once\n");
}

}  // namespace

void catch_signals(const char* told) {
    what_it_does = told;
    struct sigaction action {};
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);
}

void ask_to_stop(int number) { received.store(number); }

int stop_signal() { return received.load(); }

}  // namespace sluice::run
