#include "host_process.hpp"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>

namespace sluice::test {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kPause{2};

// The output goes to a file in memory, so that no pipe has to be emptied while the process runs.
int make_capture(const char* name) {
    const int fd = ::memfd_create(name, MFD_CLOEXEC);
    if (fd < 0) {
        throw std::runtime_error("memfd_create failed");
    }
    return fd;
}

std::string read_capture(int fd) {
    std::string text(static_cast<std::size_t>(::lseek(fd, 0, SEEK_END)), '\0');
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(::pread(fd, text.data(), text.size(), 0), 0)));
    return text;
}

// Returns an empty text if there is no such file yet.
std::string read_file(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

double seconds_of(const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

[[noreturn]] void become_host(const std::vector<std::string>& arguments, const ProcessOptions& process_options) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    std::signal(SIGINT, SIG_DFL);  // a script's background jobs ignore it
    if (::chdir(process_options.folder.c_str()) != 0) {
        ::_exit(126);
    }
    ::unsetenv("SLUICE_PLUGIN_PATH");
    for (const auto& [name, value] : process_options.environment) {
        ::setenv(name.c_str(), value.c_str(), 1);
    }
    std::vector<char*> values{const_cast<char*>(SLUICE_TEST_HOST)};
    for (const std::string& argument : arguments) {
        values.push_back(const_cast<char*>(argument.c_str()));
    }
    values.push_back(nullptr);
    if (process_options.before_start) {
        process_options.before_start();
    }
    ::execv(SLUICE_TEST_HOST, values.data());
    ::_exit(127);
}

}  // namespace

std::string sanitizer_options(const std::string& more) {
    const char* const own = std::getenv("ASAN_OPTIONS");
    return (own == nullptr ? std::string() : own + std::string(":")) + more;
}

HostProcess::HostProcess(const std::vector<std::string>& arguments, const ProcessOptions& process_options)
    : deadline_(process_options.deadline), out_(make_capture("out")), err_(make_capture("err")) {
    pid_ = ::fork();
    if (pid_ < 0) {
        throw std::runtime_error("fork failed");
    }
    if (pid_ == 0) {
        ::dup2(out_, STDOUT_FILENO);
        ::dup2(err_, STDERR_FILENO);
        become_host(arguments, process_options);
    }
}

HostProcess::~HostProcess() {
    if (!ended_) {
        ::kill(pid_, SIGKILL);
        reap(0);
    }
    ::close(out_);
    ::close(err_);
}

void HostProcess::send(int signal) const {
    if (!ended_) {
        ::kill(pid_, signal);
    }
}

void HostProcess::stop() const {
    send(SIGSTOP);
    if (!ended_) {
        siginfo_t found{};
        ::waitid(P_PID, static_cast<id_t>(pid_), &found, WSTOPPED | WEXITED | WNOWAIT);
    }
}

bool HostProcess::reap(int flags) {
    ended_ = ended_ || ::wait4(pid_, &status_, flags, &usage_) == pid_;
    return ended_;
}

template <class Condition>
bool HostProcess::wait_until(Condition condition) {
    for (const auto end = Clock::now() + deadline_; Clock::now() < end; std::this_thread::sleep_for(kPause)) {
        const bool ended = reap(WNOHANG);  // before condition(), so that the last output counts
        if (condition()) {
            return true;
        }
        if (ended) {
            return false;
        }
    }
    return false;
}

bool HostProcess::wait_for_error_text(std::string_view text) {
    return wait_until([&] { return read_capture(err_).find(text) != std::string::npos; });
}

bool HostProcess::wait_for_file(const std::filesystem::path& file) {
    return wait_until([&] { return std::filesystem::exists(file); });
}

bool HostProcess::wait_for_newer(const std::filesystem::path& file, std::filesystem::file_time_type written) {
    return wait_until([&] {
        std::error_code not_there;
        const auto time = std::filesystem::last_write_time(file, not_there);
        return !not_there && time != written;
    });
}

bool HostProcess::wait_for_text(const std::filesystem::path& file, std::string_view text) {
    return wait_until([&] { return read_file(file).find(text) != std::string::npos; });
}

bool HostProcess::wait_for_handler(int signal) {
    return wait_until([&] {
        const std::string status = read_file("/proc/" + std::to_string(pid_) + "/status");
        const std::string key = "SigCgt:";  // a hexadecimal mask; signal 1 is the lowest bit
        const std::size_t at = status.find(key);
        return at != std::string::npos &&
               (std::stoull(status.substr(at + key.size()), nullptr, 16) >> (signal - 1) & 1U) != 0;
    });
}

Finished HostProcess::finish() {
    wait_until([&] { return ended_; });
    if (!ended_) {
        ::kill(pid_, SIGKILL);
        reap(0);
    }
    return {WIFEXITED(status_) ? WEXITSTATUS(status_) : -1,
            WIFSIGNALED(status_) ? WTERMSIG(status_) : 0,
            read_capture(out_),
            read_capture(err_),
            seconds_of(usage_.ru_utime) + seconds_of(usage_.ru_stime),
            static_cast<std::uint64_t>(usage_.ru_maxrss) * 1024};
}

}  // namespace sluice::test
