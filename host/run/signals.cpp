#include "run/signals.hpp"

#include <unistd.h>

#include <atomic>
#include <csignal>

namespace sluice::run {
namespace {

// A signal handler can reach only static memory.
std::atomic<int> received{0};
static_assert(std::atomic<int>::is_always_lock_free);

void on_signal(int number) {
    if (received.exchange(number) != 0) {
        ::_exit(128 + number);
    }
    constexpr char text[] = "\nstopping after this step and saving; once more to leave at once\n";
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text, sizeof(text) - 1);
}

}  // namespace

void catch_signals() {
    struct sigaction action {};
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);
}

void ask_to_stop(int number) { received.store(number); }

int stop_signal() { return received.load(); }

}  // namespace sluice::run
