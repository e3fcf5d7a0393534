#include "launch/mpirun.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <utility>

#include "base/error.hpp"
#include "base/machine.hpp"
#include "base/program_name.hpp"
#include "base/text/counted.hpp"

namespace sluice::launch {
namespace {

std::vector<std::string> words_of(const LaunchRequest& request) {
    // Without recovery mpirun would stop all processes if one is lost.
    std::vector<std::string> words{"mpirun", "--enable-recovery", "-n", std::to_string(request.processes)};
    words.insert(words.end(), request.mpirun_options.begin(), request.mpirun_options.end());
    // mpirun takes the value from its environment, because all users of the machine can read a command line.
    words.insert(words.end(), {"-x", kVariable});
    words.insert(words.end(), request.command.begin(), request.command.end());
    return words;
}

// Sets options of mpirun by environment variables, since its command line differs between Open MPI 4 and 5. There may
// be more processes than cores, each may use all cores, root may start them, and one that fails does not stop
// the others.
void set_mpirun_options() {
    constexpr std::pair<const char*, const char*> kMpirunOptions[] = {
        {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
        {"OMPI_MCA_hwloc_base_binding_policy", "none"},
        {"OMPI_MCA_orte_abort_on_non_zero_status", "0"},
        {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
        {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
        {"PRTE_MCA_rmaps_default_mapping_policy", ":OVERSUBSCRIBE"},
        {"PRTE_MCA_hwloc_default_binding_policy", "none"},
        {"PRTE_MCA_state_base_error_non_zero_exit", "0"},
        {"PRTE_ALLOW_RUN_AS_ROOT", "1"},
        {"PRTE_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
    };
    for (const auto& [name, value] : kMpirunOptions) {
        ::setenv(name, value, 0);
    }
}

// Starts threads that wait until it is destroyed, to find out whether so many more can be started.
class HeldThreads {
public:
    explicit HeldThreads(int count) {
        for (int number = 0; number < count && error_ == 0; ++number) {
            start();
        }
    }
    ~HeldThreads() {
        hold_.unlock();
        for (const pthread_t thread : threads_) {
            ::pthread_join(thread, nullptr);
        }
    }
    HeldThreads(const HeldThreads&) = delete;
    HeldThreads& operator=(const HeldThreads&) = delete;

    // The errno of the thread that could not be started; 0: all run.
    [[nodiscard]] int error() const { return error_; }
    [[nodiscard]] std::size_t count() const { return threads_.size(); }

private:
    void start() {
        pthread_attr_t small{};
        ::pthread_attr_init(&small);
        ::pthread_attr_setstacksize(&small, std::size_t{64} << 10);
        pthread_t thread{};
        error_ = ::pthread_create(
            &thread, &small,
            [](void* mutex) -> void* {
                const std::lock_guard wait(*static_cast<std::mutex*>(mutex));
                return nullptr;
            },
            &mutex_);
        if (error_ == 0) {
            threads_.push_back(thread);
        }
        ::pthread_attr_destroy(&small);
    }

    std::mutex mutex_;
    std::unique_lock<std::mutex> hold_{mutex_};
    std::vector<pthread_t> threads_;
    int error_ = 0;
};

// Checks the limit of threads first, because mpirun waits forever for a process that it could not start. Throws
// Error(Exit::device).
void check_thread_limit(const LaunchRequest& request) {
    constexpr int kOfMpirun = 5;   // threads of Open MPI 4 before it starts a process
    constexpr int kOfProcess = 2;  // the main thread and that of heartbeats
    const bool are_here = request.mpirun_options.empty();
    const int needed = kOfMpirun + (are_here ? kOfProcess * request.processes : 0);
    const HeldThreads threads(needed);
    if (threads.error() != 0) {
        throw Error(Exit::device,
                    fmt::format("too few threads for mpirun{}: {} or more are needed, and {} can be started: {}{}",
                                are_here ? " and " + counted(request.processes, "process") : "", needed,
                                threads.count(), std::strerror(threads.error()), limits_text()));
    }
}

}  // namespace

// mpirun gets its own process group, so that Ctrl-C at the terminal does not reach it.
Mpirun::Mpirun(const LaunchRequest& request, const Address& address, const sigset_t& mask) {
    check_thread_limit(request);
    std::vector<std::string> words = words_of(request);
    std::vector<char*> arguments;
    for (std::string& word : words) {
        arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    std::array<int, 2> error_pipe{};  // pipe for the errno if the child cannot execute mpirun
    if (::pipe2(error_pipe.data(), O_CLOEXEC) != 0) {
        throw Error(Exit::device, fmt::format("cannot create a pipe: {}", std::strerror(errno)));
    }
    pid_ = ::fork();
    int error = pid_ < 0 ? errno : 0;
    if (pid_ == 0) {
        ::setpgid(0, 0);
        for (const int ignored : {SIGPIPE, SIGXFSZ}) {  // this program ignores them, mpirun must not
            ::signal(ignored, SIG_DFL);
        }
        ::sigprocmask(SIG_SETMASK, &mask, nullptr);
        set_mpirun_options();
        ::setenv(kVariable, address.text().c_str(), 1);
        ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
        ::execvp(arguments.front(), arguments.data());
        error = errno;
        [[maybe_unused]] const auto written = ::write(error_pipe[1], &error, sizeof(error));
        ::_exit(127);
    }
    ::close(error_pipe[1]);
    const bool failed = pid_ < 0 || ::read(error_pipe[0], &error, sizeof(error)) == sizeof(error);
    ::close(error_pipe[0]);
    if (pid_ < 0) {
        throw Error(Exit::device,
                    fmt::format("{} cannot be started: {}{}", words.front(), std::strerror(error), limits_text()));
    }
    if (failed) {
        throw Error(Exit::config, fmt::format("{} cannot be started: {}; {} needs Open MPI (Debian: openmpi-bin)",
                                              words.front(), std::strerror(error), typed("launch")));
    }
}

Mpirun::~Mpirun() {
    if (!ended_) {
        ::kill(-pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }
}

void Mpirun::stop() {
    ::kill(-pid_, is_asked_ ? SIGKILL : SIGTERM);
    is_asked_ = true;
}

const std::optional<Mpirun::End>& Mpirun::ended() {
    int status = 0;
    if (!ended_ && ::waitpid(pid_, &status, WNOHANG) == pid_) {
        ended_ = WIFEXITED(status) ? End{.code = WEXITSTATUS(status)} : End{.signal = WTERMSIG(status)};
        ended_->at = std::chrono::steady_clock::now();
        was_killed_ = ended_->signal != 0 && !is_asked_;
    }
    return ended_;
}

std::string Mpirun::End::text() const {
    return signal != 0 ? fmt::format("mpirun was killed by signal {}", signal)
                       : fmt::format("mpirun exited with code {}", code);
}

}  // namespace sluice::launch
