#include "diagnose/trial/training_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <string_view>
#include <system_error>
#include <thread>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/machine.hpp"
#include "diagnose/trial/process_stat.hpp"

namespace sluice::diagnose {
namespace {

// Returns the other processes of the session that `leader` leads. mpirun gives each of its processes its own group.
std::vector<pid_t> others_of_session(pid_t leader) {
    std::vector<pid_t> found;
    for (const auto& [process, stat] : all_processes()) {
        if (process != leader && stat.session == leader) {
            found.push_back(process);
        }
    }
    return found;
}

[[noreturn]] void become(const ProcessRequest& request, std::vector<char*>& words, pid_t parent) {
    ::setsid();  // Ctrl-C at the terminal does not reach it
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) {  // it was killed before
        ::_exit(0);
    }
    for (const int ignored : {SIGPIPE, SIGXFSZ}) {
        ::signal(ignored, SIG_DFL);
    }
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    const int output = ::open(request.output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0666);
    ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
    ::dup2(output, STDOUT_FILENO);
    ::dup2(output, STDERR_FILENO);
    ::execv(words.front(), words.data());
    ::_exit(127);
}

}  // namespace

TrainingProcess::TrainingProcess(const ProcessRequest& request) : output_(request.output) {
    std::vector<std::string> words = request.words;
    std::vector<char*> pointers;
    for (std::string& word : words) {
        pointers.push_back(word.data());
    }
    pointers.push_back(nullptr);
    const pid_t parent = ::getpid();
    pid_ = ::fork();
    if (pid_ == 0) {
        become(request, pointers, parent);
    }
    if (pid_ < 0) {
        throw Error(Exit::device,
                    fmt::format("{} cannot be started: {}{}", request.words.front(),
                                std::error_code(errno, std::generic_category()).message(), limits_text()));
    }
}

TrainingProcess::~TrainingProcess() {
    for (const pid_t other : others_of_session(pid_)) {  // some may be left although the leader has exited
        ::kill(other, SIGKILL);
    }
    if (!has_exited_) {
        ::kill(pid_, SIGKILL);
        reap(0);
    }
}

void TrainingProcess::send(int signal) const {
    const std::vector<pid_t> others = others_of_session(pid_);
    ::kill(pid_, signal);
    for (const pid_t other : others) {
        ::kill(other, signal);
    }
}

bool TrainingProcess::reap(int flags) {
    int status = 0;
    if (has_exited_ || ::waitpid(pid_, &status, flags) != pid_) {
        return has_exited_;
    }
    note_exit(status);
    return true;
}

void TrainingProcess::note_exit(int status) {
    has_exited_ = true;
    code_ = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// A process that starts another one by vfork() cannot stop before that runs its program, and never if that was stopped
// first. So what it started goes on for a moment if it does not stop.
void TrainingProcess::pause() {
    constexpr double kPatience = 0.05;  // seconds
    constexpr double kLongest = 2.0;
    constexpr std::chrono::microseconds kPoll{100};
    if (has_exited_) {
        return;
    }
    send(SIGSTOP);
    const double began = now();
    double asked = began;
    while (!has_stopped() && now() - began < kLongest) {
        std::this_thread::sleep_for(kPoll);
        if (now() - asked > kPatience) {
            for (const pid_t other : others_of_session(pid_)) {
                ::kill(other, SIGCONT);
            }
            std::this_thread::sleep_for(std::chrono::duration<double>(kPatience));
            send(SIGSTOP);
            asked = now();
        }
    }
}

// True if the process has stopped since the last call, or has exited.
bool TrainingProcess::has_stopped() {
    int status = 0;
    if (::waitpid(pid_, &status, WNOHANG | WUNTRACED) != pid_) {
        return false;
    }
    if (!WIFSTOPPED(status)) {
        note_exit(status);
    }
    return true;
}

void TrainingProcess::go_on() {
    if (!has_exited_) {
        send(SIGCONT);
    }
}

bool TrainingProcess::has_exited() { return reap(WNOHANG); }

int TrainingProcess::finish(double seconds) {
    constexpr std::chrono::milliseconds kPoll{5};
    if (!has_exited()) {
        go_on();
        ::kill(pid_, SIGTERM);
        for (const double end = now() + seconds; !has_exited() && now() < end;) {
            std::this_thread::sleep_for(kPoll);
        }
    }
    if (!has_exited_) {
        send(SIGKILL);
        reap(0);
    }
    return code_;
}

std::string TrainingProcess::error() const {
    constexpr std::string_view kMark = "E ";  // with which a line of the log begins that reports an error
    std::ifstream in(output_);
    std::string found;
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with(kMark)) {
            found = line.substr(kMark.size());
        }
    }
    return found;
}

}  // namespace sluice::diagnose
