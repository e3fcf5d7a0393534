#include "registry/loading/probe.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <memory>
#include <optional>
#include <thread>

#include "base/allocation_failure.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/machine.hpp"
#include "registry/loading/load.hpp"
#include "registry/loading/probe_cache.hpp"

namespace sluice::registry {
namespace {

constexpr int kRefused = 3;    // exit status of the child if the reason is in the pipe
constexpr int kUncertain = 5;  // the same if the child lacked memory, so that nothing is known of the plugin
constexpr std::string_view kLoaded = "is loaded";  // in the pipe with exit status 0: the child exited by itself

class Pipe {
public:
    Pipe() {
        if (::pipe2(ends_.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
            throw OutOfResources(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
        }
    }
    ~Pipe() {
        ::close(ends_[0]);
        ::close(ends_[1]);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    // Returns the bytes that are in the pipe now, at most 4096.
    [[nodiscard]] std::string read_all() const {
        std::array<char, 4096> text{};
        const ssize_t got = ::read(ends_[0], text.data(), text.size());
        return {text.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0))};
    }
    // Does not block. Cuts the text at 4096 bytes.
    [[nodiscard]] bool write(std::string_view text) const {
        text = text.substr(0, 4096);
        return ::write(ends_[1], text.data(), text.size()) == static_cast<ssize_t>(text.size());
    }

private:
    std::array<int, 2> ends_{};
};

enum class Extent { loaded, opened };

void open_alone(const std::filesystem::path& file, const PluginManifest& manifest) {
    log::set_level(log::Level::error);
    try {
        static_cast<void>(std::make_unique<LoadedPlugin>(file, manifest).release());  // close() is not tested
    } catch (const Error&) {
    }
}  // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks): the process exits

// Runs in the child after fork(). It leaves by _exit(), because the host's buffers and objects must not be flushed or
// destroyed twice.
[[noreturn]] void run_child(const std::filesystem::path& file, const PluginManifest& manifest, Extent extent,
                            const Pipe& reason) {
    ::setpgid(0, 0);  // processes that the plugin starts can then be killed with the child
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTERM, SIGINT}) {
        std::signal(signal, SIG_DFL);
    }
    const auto leave = [&](std::string_view text, int status) {
        const std::string prefix = file.string() + ": ";
        text.remove_prefix(text.starts_with(prefix) ? prefix.size() : 0);
        ::_exit(reason.write(text) ? status : kRefused + 1);
    };
    try {
        load_table(file, manifest);
        if (extent == Extent::opened) {
            open_alone(file, manifest);
        }
    } catch (const OutOfResources& lack) {
        leave(lack.what(), kUncertain);
    } catch (const std::bad_alloc& failure) {
        leave(out_of_memory_text(failure), kUncertain);
    } catch (const std::exception& wrong) {
        leave(wrong.what(), kRefused);
    }
    ::_exit(reason.write(kLoaded) ? 0 : kRefused + 1);
}

// Returns the status of the child; nothing if it was still running at the deadline and was killed.
std::optional<int> wait_or_kill(pid_t child, std::chrono::milliseconds limit) {
    const auto deadline = std::chrono::steady_clock::now() + limit;
    int status = 0;
    for (;;) {
        const pid_t ended = ::waitpid(child, &status, WNOHANG);
        if (ended == child) {
            return status;
        }
        if (ended < 0 && errno != EINTR) {
            throw Error(Exit::plugin,
                        fmt::format("cannot wait for the process that tests its loading: {}", std::strerror(errno)));
        }
        if (std::chrono::steady_clock::now() >= deadline) {
            ::kill(-child, SIGKILL);
            ::kill(child, SIGKILL);
            ::waitpid(child, &status, 0);
            return std::nullopt;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

std::string probe(const std::filesystem::path& file, const PluginManifest& manifest, Extent extent,
                  std::chrono::milliseconds limit) {
    const Pipe reason;
    const pid_t child = ::fork();
    if (child < 0) {
        throw OutOfResources(fmt::format("{}: the process that tests its loading could not be started: {}{}",
                                         file.string(), std::strerror(errno), limits_text()));
    }
    if (child == 0) {
        run_child(file, manifest, extent, reason);
    }
    const std::optional<int> status = wait_or_kill(child, limit);
    if (!status) {
        return fmt::format("did not finish loading within {} s; it was loaded in a child process, which was killed",
                           static_cast<double>(limit.count()) / 1000.0);
    }
    if (WIFSIGNALED(*status)) {
        return fmt::format("crashes when it is loaded: {}", ::strsignal(WTERMSIG(*status)));
    }
    const int code = WEXITSTATUS(*status);
    const std::string text = reason.read_all();  // empty if the plugin itself exits with one of these codes
    if (code == kUncertain && !text.empty()) {
        throw OutOfResources(fmt::format("{}: {}", file.string(), text));
    }
    if (code == kRefused && !text.empty()) {
        return text;
    }
    return code == 0 && text == kLoaded
               ? ""
               : fmt::format("terminates the process when it is loaded, with exit status {}", code);
}

}  // namespace

std::string probe(const std::filesystem::path& file, const PluginManifest& manifest, std::chrono::milliseconds limit) {
    return probe(file, manifest, Extent::loaded, limit);
}

std::string probe_open(const std::filesystem::path& file, const PluginManifest& manifest,
                       std::chrono::milliseconds limit) {
    return probe(file, manifest, Extent::opened, limit);
}

std::string probe_once(const std::filesystem::path& file, const PluginManifest& manifest) {
    return ProbeCache().take(file) ? std::string() : probe(file, manifest);
}

}  // namespace sluice::registry
