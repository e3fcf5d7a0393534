#include "base/signals/stop_handler.hpp"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/signals/stop_signals.hpp"

namespace sluice {
namespace {

// A signal handler can only use static objects.
std::atomic<int> received{0};
std::atomic<bool> user_has_asked{false};
std::atomic<const char*> what_it_does{nullptr};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<const char*>::is_always_lock_free);

void write_text(const char* text) {
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text, std::strlen(text));
}

// Returns false if another signal came before.
bool note_signal(int number) {
    int none = 0;
    return received.compare_exchange_strong(none, number);
}

void on_signal(int number) {
    const int error = errno;
    if (is_of_user(number) && user_has_asked.exchange(true)) {
        ::_exit(128 + number);
    }
    if (note_signal(number)) {
        write_text("\n");
        write_text(what_it_does);
        write_text(is_of_user(number) ? "; once more to leave at once\n" : "\n");
    }
    errno = error;
}

}  // namespace

void catch_stop_signals(const char* text) {
    what_it_does = text;
    struct sigaction action {};
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    for (const int number : stop_signals()) {
        ::sigaction(number, &action, nullptr);
    }
}

void ask_to_stop(int number) { note_signal(number); }

int stop_signal() { return received.load(); }

}  // namespace sluice
