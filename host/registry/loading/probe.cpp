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

#include "base/error.hpp"
#include "base/log.hpp"
#include "registry/loading/load.hpp"
#include "registry/loading/probe_cache.hpp"

namespace sluice::registry {
namespace {

constexpr int kRefused = 3;                        // the child's exit status: the reason is in the pipe
constexpr std::string_view kLoaded = "is loaded";  // in the pipe, with exit status 0: nobody else has ended the child

class Pipe {
public:
    Pipe() {
        if (::pipe2(ends_.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
            throw Error(Exit::plugin, fmt::format("cannot make a pipe: {}", std::strerror(errno)));
        }
    }
    ~Pipe() {
        ::close(ends_[0]);
        ::close(ends_[1]);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    // What is in it now; at most one pipe-full.
    [[nodiscard]] std::string read_all() const {
        std::array<char, 4096> text{};
        const ssize_t got = ::read(ends_[0], text.data(), text.size());
        return {text.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0))};
    }
    // Never blocks; a reason that does not fit is cut.
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
        static_cast<void>(std::make_unique<LoadedPlugin>(file, manifest).release());  // close() is not what is tried
    } catch (const Error&) {
    }
}  // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks): the process ends

// Between fork() and the end of the child. _exit(): nothing of the host's may be flushed or destroyed twice.
[[noreturn]] void run_child(const std::filesystem::path& file, const PluginManifest& manifest, Extent extent,
                            const Pipe& reason) {
    ::setpgid(0, 0);  // so that what the plugin starts ends with it
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTERM, SIGINT}) {
        std::signal(signal, SIG_DFL);
    }
    try {
        load_table(file, manifest);
        if (extent == Extent::opened) {
            open_alone(file, manifest);
        }
    } catch (const std::exception& wrong) {
        const std::string prefix = file.string() + ": ";
        std::string_view text = wrong.what();
        text.remove_prefix(text.starts_with(prefix) ? prefix.size() : 0);
        ::_exit(reason.write(text) ? kRefused : kRefused + 1);
    }
    ::_exit(reason.write(kLoaded) ? 0 : kRefused + 1);
}

// The status of the child, or nothing where it was still running at the end of the time and has been killed.
std::optional<int> wait_or_kill(pid_t child, std::chrono::milliseconds limit) {
    const auto deadline = std::chrono::steady_clock::now() + limit;
    int status = 0;
    for (;;) {
        const pid_t ended = ::waitpid(child, &status, WNOHANG);
        if (ended == child) {
            return status;
        }
        if (ended < 0 && errno != EINTR) {
            throw Error(Exit::plugin, fmt::format("cannot watch its first load: {}", std::strerror(errno)));
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
        return fmt::format("cannot start its first load: {}", std::strerror(errno));
    }
    if (child == 0) {
        run_child(file, manifest, extent, reason);
    }
    const std::optional<int> status = wait_or_kill(child, limit);
    if (!status) {
        return fmt::format("did not finish loading within {} s; it was loaded in a process of its own, which was ended",
                           static_cast<double>(limit.count()) / 1000.0);
    }
    if (WIFSIGNALED(*status)) {
        return fmt::format("crashes when it is loaded: {}", ::strsignal(WTERMSIG(*status)));
    }
    if (WEXITSTATUS(*status) == kRefused) {
        return reason.read_all();
    }
    return WEXITSTATUS(*status) == 0 && reason.read_all() == kLoaded
               ? ""
               : fmt::format("ends the process when it is loaded, with exit status {}", WEXITSTATUS(*status));
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
