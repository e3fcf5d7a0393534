#include "faults.hpp"

#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <string>

#include "grid.hpp"

namespace emulated {
namespace {

constexpr std::array kSignals{SIGSEGV, SIGBUS, SIGILL, SIGTRAP};

void explain(int signal, siginfo_t* info, void* context);

// Installs signal handlers. The destructor restores the previous ones.
class Handlers {
public:
    Handlers() {
        struct sigaction ours {};
        ours.sa_sigaction = explain;
        ours.sa_flags = SA_SIGINFO;
        for (std::size_t i = 0; i < kSignals.size(); ++i) {
            ::sigaction(kSignals[i], &ours, &before_[i]);
        }
    }
    ~Handlers() { give_back(); }
    Handlers(const Handlers&) = delete;
    Handlers& operator=(const Handlers&) = delete;
    void give_back() const {
        for (std::size_t i = 0; i < kSignals.size(); ++i) {
            ::sigaction(kSignals[i], &before_[i], nullptr);
        }
    }

private:
    std::array<struct sigaction, kSignals.size()> before_{};
};

Handlers* installed = nullptr;
const Memory* device_memory = nullptr;

void explain(int signal, siginfo_t* info, void* /*context*/) {
    installed->give_back();  // the same instruction faults again and terminates the process
    const bool is_address = signal == SIGSEGV || signal == SIGBUS;
    const std::string place = is_address ? device_memory->describe(info->si_addr) : "";
    std::string who = running_thread();
    std::string what;
    if (!who.empty()) {
        what = !is_address     ? "has undefined behaviour (an address that is not aligned, an index out of bounds)"
               : place.empty() ? "touches memory that does not exist"
                               : "touches " + place;
    } else if (!place.empty()) {
        who = "the host";
        what = "touches " + place;
    } else {
        return;
    }
    const std::string text = "emulated CUDA: " + who + " " + what + "\n";
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace

void explain_faults(const Memory& memory) {
    if (std::getenv("SLUICE_EMULATED_CUDA_KEEPS_SIGNALS") != nullptr) {
        return;
    }
    device_memory = &memory;
    static Handlers handlers;
    installed = &handlers;
}

}  // namespace emulated
