#include <err.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>

#include "sluice/sdk/plugin.hpp"

namespace {

using namespace sluice::sdk;

// They are volatile so that no compiler foresees the invalid access.
volatile int* volatile nowhere = nullptr;
void (*volatile no_function)() = nullptr;
volatile std::size_t much = 4096;

// Returns the way in which the process terminates while its static objects are destroyed; empty: it exits normally.
std::string& way_at_the_end() {
    static auto* const way = new std::string();
    return *way;
}

struct AtTheEnd {
    ~AtTheEnd() {
        if (way_at_the_end() == "end_address") {
            *nowhere = 1;
        } else if (way_at_the_end() == "end_abort") {
            std::abort();
        } else if (way_at_the_end() == "end_exit") {
            std::_Exit(0);
        }
    }
};
const AtTheEnd at_the_end;

int fill_the_stack(int depth) {
    volatile char room[4096];
    room[0] = static_cast<char>(depth);
    return depth < 0 ? 0 : fill_the_stack(depth + 1) + room[0];
}

void end_by(const std::string& how) {
    if (how.starts_with("end_")) {
        way_at_the_end() = how;
    } else if (how == "exit") {
        std::exit(0);
    } else if (how == "quick_exit") {
        std::quick_exit(0);
    } else if (how == "sudden_exit") {
        ::_exit(0);
    } else if (how == "sudden_c_exit") {
        std::_Exit(0);
    } else if (how == "thread_sudden_exit") {
        std::thread([] { ::_exit(0); }).join();
    } else if (how == "child_sudden_exit") {
        const pid_t child = ::fork();
        if (child == 0) {
            ::_exit(0);
        }
        int status = 1;
        if (::waitpid(child, &status, 0) != child || status != 0) {
            std::abort();
        }
    } else if (how == "abort") {
        std::abort();
    } else if (how == "throw") {
        throw std::runtime_error("nobody catches this");
    } else if (how == "address") {
        *nowhere = 1;
    } else if (how == "stack") {
        fill_the_stack(0);
    } else if (how == "instruction") {
        std::raise(SIGILL);
    } else if (how == "division") {
        std::raise(SIGFPE);
    } else if (how == "thread_throw") {
        std::thread([] { throw std::runtime_error("nobody takes it"); }).join();
    } else if (how == "thread_abort") {
        std::thread([] { std::abort(); }).join();
    } else if (how == "thread_address") {
        std::thread([] { *nowhere = 1; }).join();
    } else if (how == "thread_copy") {
        std::thread([] { std::memset(const_cast<int*>(nowhere), 0, much); }).join();
    } else if (how == "thread_no_function") {
        std::thread([] { no_function(); }).join();
    } else if (how == "library_exit") {
        ::errx(0, "libc ends the process itself");
    } else if (how == "thread_exit") {
        std::thread([] { std::exit(0); }).join();
    } else {
        for (;;) {
            ::pause();
        }
    }
}

// It fills its table without the SDK, because the SDK's functions let no exception out.
struct Ending {
    std::string how;
};

const sluice_observer kObserver = {
    .create = [](const sluice_host*, const sluice_value* options, void** self,
                 sluice_error*) noexcept -> sluice_status {
        *self = new Ending{std::string(Options(options).string("how"))};
        if (static_cast<Ending*>(*self)->how == "thread_library_exit") {
            std::thread([] { ::errx(0, "libc ends the process itself"); }).join();
        }
        return SLUICE_OK;
    },
    .destroy = [](void* self) noexcept { delete static_cast<Ending*>(self); },
    .wants = [](void*) noexcept -> std::uint64_t { return 1U << SLUICE_EVENT_STEP; },
    .on_event = [](void* self, const sluice_event*, sluice_error*) noexcept -> sluice_status {
        end_by(static_cast<Ending*>(self)->how);
        return SLUICE_OK;
    },
};

const void* get_observer(const sluice_component*, const char* id) noexcept {
    return std::strcmp(id, SLUICE_OBSERVER_V1) == 0 ? &kObserver : nullptr;
}

class EndingKernel final : public Kernel {
public:
    explicit EndingKernel(const sluice_threads* threads) : threads_(threads) {}
    void forward(const sluice_launch&) override {
        const auto crash = [](void*, std::int64_t, std::int64_t past, std::uint32_t) noexcept {
            if (past == 2) {
                *nowhere = 1;
            }
        };
        threads_->parallel_for(threads_, 2, 1, crash, nullptr);
    }
    void backward(const sluice_launch&) override {}

private:
    const sluice_threads* threads_;
};

class EndingKernels final : public KernelProvider {
public:
    EndingKernels(Host, const Options&, sluice_device_ref) {}
    [[nodiscard]] std::optional<std::string> refuses(const Chain& chain) const override {
        return chain.size() == 1 && chain[0].type() == "relu" ? std::nullopt : std::optional<std::string>("only relu");
    }
    [[nodiscard]] std::unique_ptr<Kernel> plan(const Chain&, const KernelSink& sink) override {
        return std::make_unique<EndingKernel>(sink.threads());
    }
};

constexpr sluice_component kComponents[] = {
    {SLUICE_TEXT("test.observer.ending"), get_observer},
    component<EndingKernels>("test.kernel.ending"),
};

}  // namespace

SLUICE_DEFINE_PLUGIN(kComponents)
