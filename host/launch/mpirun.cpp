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

#include "base/counted.hpp"
#include "base/error.hpp"
#include "base/machine.hpp"
#include "base/program_name.hpp"

namespace sluice::launch {
namespace {

std::vector<std::string> words_of(const Job& job) {
    // Without recovery mpirun would end all when one is lost.
    std::vector<std::string> words{"mpirun", "--enable-recovery", "-n", std::to_string(job.processes)};
    words.insert(words.end(), job.mpirun_options.begin(), job.mpirun_options.end());
    // From its own environment: what stands in a command can be read by all users of the machine.
    words.insert(words.end(), {"-x", kVariable});
    words.insert(words.end(), job.command.begin(), job.command.end());
    return words;
}

// What mpirun is to do otherwise than by itself: in the environment, since its options differ between Open MPI 4 and 5.
// More processes than cores are possible, all may use all cores, root may start them, and one that leaves with an error
// ends no other.
void set_manners() {
    constexpr std::pair<const char*, const char*> kManners[] = {
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
    for (const auto& [name, value] : kManners) {
        ::setenv(name, value, 0);
    }
}

// Threads that wait until it is destroyed: whether so many more may be started.
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

    // Of the one that could not be started; 0: all run.
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

// mpirun that cannot start a process stays and waits for it: so a limit is found before. Throws Error(Exit::device).
void expect_room(const Job& job) {
    constexpr int kOfMpirun = 5;   // Open MPI 4 has as many threads before it starts a process
    constexpr int kOfProcess = 2;  // itself, and its heartbeats
    const bool are_here = job.mpirun_options.empty();
    const int needed = kOfMpirun + (are_here ? kOfProcess * job.processes : 0);
    const HeldThreads threads(needed);
    if (threads.error() != 0) {
        throw Error(Exit::device,
                    fmt::format("too few threads for mpirun{}: {} or more are needed, and {} can be started: {}{}",
                                are_here ? " and " + counted(job.processes, "process") : "", needed, threads.count(),
                                std::strerror(threads.error()), limits_text()));
    }
}

}  // namespace

// In a group of its own: Ctrl-C at the terminal is not for it.
Mpirun::Mpirun(const Job& job, const Address& address, const sigset_t& mask) {
    expect_room(job);
    std::vector<std::string> words = words_of(job);
    std::vector<char*> arguments;
    for (std::string& word : words) {
        arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    std::array<int, 2> told{};  // by which the child says why it could not become mpirun
    if (::pipe2(told.data(), O_CLOEXEC) != 0) {
        throw Error(Exit::device, fmt::format("no pipe: {}", std::strerror(errno)));
    }
    pid_ = ::fork();
    int error = pid_ < 0 ? errno : 0;
    if (pid_ == 0) {
        ::setpgid(0, 0);
        for (const int ignored : {SIGPIPE, SIGXFSZ}) {  // by this program, not by mpirun
            ::signal(ignored, SIG_DFL);
        }
        ::sigprocmask(SIG_SETMASK, &mask, nullptr);
        set_manners();
        ::setenv(kVariable, address.text().c_str(), 1);
        ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
        ::execvp(arguments.front(), arguments.data());
        error = errno;
        [[maybe_unused]] const auto written = ::write(told[1], &error, sizeof(error));
        ::_exit(127);
    }
    ::close(told[1]);
    const bool failed = pid_ < 0 || ::read(told[0], &error, sizeof(error)) == sizeof(error);
    ::close(told[0]);
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
                       : fmt::format("mpirun has ended with exit code {}", code);
}

}  // namespace sluice::launch
