#include "launch/supervisor.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/program_name.hpp"
#include "launch/channel.hpp"

namespace sluice::launch {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kSignalled = 128;  // exit codes from here on are of those that were asked to stop

// The signals that the launcher handles, read as they come.
class Signals {
public:
    Signals() {
        sigset_t wanted;
        ::sigemptyset(&wanted);
        for (const int signal : {SIGINT, SIGTERM, SIGCHLD}) {
            ::sigaddset(&wanted, signal);
        }
        ::sigprocmask(SIG_BLOCK, &wanted, &before_);
        handle_ = ::signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
    }
    ~Signals() {
        ::close(handle_);
        ::sigprocmask(SIG_SETMASK, &before_, nullptr);
    }
    Signals(const Signals&) = delete;
    Signals& operator=(const Signals&) = delete;

    [[nodiscard]] int handle() const { return handle_; }
    [[nodiscard]] const sigset_t& before() const { return before_; }
    // The next one; 0 where none has come.
    [[nodiscard]] int next() const {
        signalfd_siginfo info{};
        return ::read(handle_, &info, sizeof(info)) == sizeof(info) ? static_cast<int>(info.ssi_signo) : 0;
    }

private:
    int handle_ = -1;
    sigset_t before_{};
};

// What mpirun is to do otherwise than by itself: in the environment, since its options differ between Open MPI 4 and 5.
// More processes than cores are possible, all may use all cores, root may start them, one that leaves with an error
// ends no other, and mpirun tells less.
void set_manners() {
    constexpr std::pair<const char*, const char*> kManners[] = {
        {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
        {"OMPI_MCA_hwloc_base_binding_policy", "none"},
        {"OMPI_MCA_orte_abort_on_non_zero_status", "0"},
        {"OMPI_MCA_orte_execute_quiet", "1"},
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

// mpirun, in a group of its own: Ctrl-C at the terminal is not for it.
class Mpirun {
public:
    Mpirun(std::vector<std::string> words, const sigset_t& mask) {
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
        if (pid_ == 0) {
            ::setpgid(0, 0);
            ::sigprocmask(SIG_SETMASK, &mask, nullptr);
            set_manners();
            ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
            ::execvp(arguments.front(), arguments.data());
            const int error = errno;
            [[maybe_unused]] const auto written = ::write(told[1], &error, sizeof(error));
            ::_exit(127);
        }
        ::close(told[1]);
        int error = 0;
        const bool failed = pid_ < 0 || ::read(told[0], &error, sizeof(error)) == sizeof(error);
        ::close(told[0]);
        if (failed) {
            throw Error(Exit::config, fmt::format("{} cannot be started: {}; {} needs Open MPI (Debian: openmpi-bin)",
                                                  words.front(), std::strerror(error), typed("launch")));
        }
    }
    ~Mpirun() {
        if (!ended_) {
            signal(SIGKILL);
            ::waitpid(pid_, nullptr, 0);
        }
    }
    Mpirun(const Mpirun&) = delete;
    Mpirun& operator=(const Mpirun&) = delete;

    void signal(int number) const { ::kill(-pid_, number); }
    // Its exit code, once it has ended.
    std::optional<int> ended() {
        int status = 0;
        if (!ended_ && ::waitpid(pid_, &status, WNOHANG) == pid_) {
            ended_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        }
        return ended_;
    }

private:
    pid_t pid_ = -1;
    std::optional<int> ended_;
};

struct Process {
    std::optional<Channel> channel;
    int pid = 0;
    std::string host;
    Clock::time_point heard;
    std::string error;        // that it has failed with
    std::optional<int> code;  // with which it has said that it leaves
    bool is_lost = false;

    [[nodiscard]] bool has_left() const { return code || is_lost; }
    [[nodiscard]] bool lives() const { return channel && !has_left(); }
};

class Supervisor {
public:
    explicit Supervisor(const sluice::launch::Job& job)
        : processes_(static_cast<std::size_t>(job.processes)),
          mpirun_(words(job, listener_.address()), signals_.before()) {}

    int run() {
        while (!mpirun_.ended()) {
            wait();
            greet();
            hear();
            look_for_silence();
            obey();
        }
        hear();
        tell_errors();
        return exit_code(*mpirun_.ended());
    }

private:
    static std::vector<std::string> words(const sluice::launch::Job& job, const Address& address) {
        // Without recovery mpirun would end all when one is lost.
        std::vector<std::string> words{"mpirun", "--enable-recovery", "-n", std::to_string(job.processes)};
        words.insert(words.end(), job.mpirun_options.begin(), job.mpirun_options.end());
        words.insert(words.end(), {"-x", fmt::format("{}={}", kVariable, address.text())});
        words.insert(words.end(), job.command.begin(), job.command.end());
        return words;
    }

    // Until something comes, or it is time to look who is silent.
    void wait() const {
        std::vector<pollfd> waits{{listener_.socket(), POLLIN, 0}, {signals_.handle(), POLLIN, 0}};
        for (const Process& process : processes_) {
            if (process.lives()) {
                waits.push_back({process.channel->socket(), POLLIN, 0});
            }
        }
        for (const Channel& guest : guests_) {
            waits.push_back({guest.socket(), POLLIN, 0});
        }
        ::poll(waits.data(), waits.size(), static_cast<int>(kBeat.count()));
    }

    // Those that have come, until they have said who they are.
    void greet() {
        while (std::optional<Channel> guest = listener_.accept()) {
            guests_.push_back(std::move(*guest));
        }
        for (std::size_t i = 0; i < guests_.size();) {
            bool gone = false;
            const std::vector<std::string> lines = guests_[i].receive(gone);
            if (!lines.empty()) {
                admit(lines, i);
            }
            if (gone || !lines.empty()) {
                guests_.erase(guests_.begin() + static_cast<std::ptrdiff_t>(i));
            } else {
                ++i;
            }
        }
    }

    void admit(const std::vector<std::string>& lines, std::size_t guest) {
        std::istringstream in(lines.front());
        std::string word;
        std::string token;
        std::size_t number = 0;
        Process process;
        in >> word >> token >> number >> process.pid >> process.host;
        if (word != "hello" || token != listener_.address().token || number >= processes_.size() ||
            processes_[number].channel) {
            return;  // nobody of ours
        }
        process.channel = std::move(guests_[guest]);
        process.heard = Clock::now();
        processes_[number] = std::move(process);
        for (std::size_t i = 1; i < lines.size(); ++i) {
            take(number, lines[i]);
        }
        if (reason_ && processes_[number].lives()) {
            tell(number);
        } else if (stops_ > 0 && processes_[number].lives()) {
            processes_[number].channel->send("stop");
        }
    }

    void take(std::size_t number, const std::string& line) {
        processes_[number].heard = Clock::now();
        if (line.starts_with("error ")) {
            processes_[number].error = line.substr(6);
            std::ranges::replace(processes_[number].error, kLineBreak, '\n');
        } else if (line.starts_with("bye ")) {
            note_exit(number, std::atoi(line.c_str() + 4));
        } else if (line == "asks") {
            end_others(number, fmt::format("process {} on {} has given up", number, processes_[number].host));
        }
    }

    // The code of the one that the others lost counts, also where it says so later than they.
    void note_exit(std::size_t number, int code) {
        processes_[number].code = code;
        processes_[number].channel.reset();
        if (leave_until_ && number == saver_) {
            leave_until_ = std::min(*leave_until_, Clock::now() + kFollow);
        }
        if (code == 0) {
            return;
        }
        if (first_code_ == 0) {
            first_code_ = code;
            if (code < kSignalled) {
                end_others(first_left(), fmt::format("process {} on {} has left with exit code {}", number,
                                                     processes_[number].host, code));
            }
        } else if (first_code_ == static_cast<int>(Exit::worker_lost) && code < kSignalled) {
            first_code_ = code;
        }
    }

    void hear() {
        for (std::size_t i = 0; i < processes_.size(); ++i) {
            Process& process = processes_[i];
            if (!process.lives()) {
                continue;
            }
            bool gone = false;
            for (const std::string& line : process.channel->receive(gone)) {
                take(i, line);
            }
            if (gone && process.lives()) {
                lose(i, "has ended without a word");
            }
        }
    }

    void look_for_silence() {
        for (std::size_t i = 0; i < processes_.size(); ++i) {
            if (processes_[i].lives() && Clock::now() - processes_[i].heard > kSilence) {
                lose(i, fmt::format("has told nothing for {} s", kSilence.count()));
            }
        }
        const bool is_late = leave_until_ && Clock::now() > *leave_until_;
        if (is_late) {
            for (std::size_t i = 0; i < processes_.size(); ++i) {
                if (processes_[i].lives()) {
                    lose(i, "does not leave and is ended");
                }
            }
        }
        const bool all_left = std::ranges::all_of(processes_, &Process::has_left);
        if (is_late || (leave_until_ && all_left && !asked_to_end_)) {
            mpirun_.signal(SIGTERM);  // it ends those that are left on other machines, also where they are stopped
            leave_until_ = Clock::now() + kLeave;
            if (std::exchange(asked_to_end_, true)) {
                mpirun_.signal(SIGKILL);
            }
        }
    }

    // Each once; the first process has told its own.
    void tell_errors() const {
        std::set<std::string_view> told{"", processes_.front().error};
        for (std::size_t i = 0; i < processes_.size(); ++i) {
            if (told.insert(processes_[i].error).second) {
                log::error(fmt::format("process {} on {}: {}", i, processes_[i].host, processes_[i].error));
            }
        }
    }

    void lose(std::size_t number, const std::string& how) {
        Process& process = processes_[number];
        process.is_lost = true;
        is_any_lost_ = is_any_lost_ || first_code_ == 0;
        const std::string text = fmt::format("process {} on {} (pid {}) {}", number, process.host, process.pid, how);
        log::error(text);
        end_others(first_left(), text);
        if (process.host == host_name()) {
            ::kill(process.pid, SIGKILL);  // it may be stopped, or wait for ever
        }
    }

    [[nodiscard]] std::size_t first_left() const {
        return static_cast<std::size_t>(std::ranges::find_if(processes_, &Process::lives) - processes_.begin());
    }

    void end_others(std::size_t saver, const std::string& reason) {
        if (reason_) {
            return;
        }
        reason_ = reason;
        saver_ = saver;
        leave_until_ = Clock::now() + kLeave + kLeave / 2;
        for (std::size_t i = 0; i < processes_.size(); ++i) {
            if (processes_[i].lives()) {
                tell(i);
            }
        }
    }

    void tell(std::size_t number) const {
        processes_[number].channel->send(fmt::format("lost {} {}", saver_, *reason_));
    }

    // What the user wants.
    void obey() {
        for (int signal = signals_.next(); signal != 0; signal = signals_.next()) {
            if (signal == SIGCHLD) {
                continue;
            }
            if (++stops_ > 1) {
                mpirun_.signal(SIGTERM);
                continue;
            }
            log::info("stopping after this step and saving; once more to leave at once");
            for (const Process& process : processes_) {
                if (process.lives()) {
                    process.channel->send("stop");
                }
            }
        }
    }

    [[nodiscard]] int exit_code(int of_mpirun) const {
        if (is_any_lost_) {
            return static_cast<int>(Exit::worker_lost);
        }
        if (first_code_ != 0) {
            return first_code_;
        }
        const bool all_left = std::ranges::all_of(processes_, [](const Process& process) { return process.code == 0; });
        if (!all_left) {
            log::error(fmt::format("mpirun has ended with exit code {} before all {} processes came", of_mpirun,
                                   processes_.size()));
            return of_mpirun != 0 ? of_mpirun : static_cast<int>(Exit::worker_lost);
        }
        return 0;
    }

    Signals signals_;
    Listener listener_;
    std::vector<Process> processes_;
    Mpirun mpirun_;
    std::vector<Channel> guests_;
    int stops_ = 0;       // asked for by the user
    int first_code_ = 0;  // of those that have failed
    bool is_any_lost_ = false;
    std::optional<std::string> reason_;             // why all are to leave
    std::size_t saver_ = 0;                         // the process that then saves what was trained
    std::optional<Clock::time_point> leave_until_;  // those that are left
    bool asked_to_end_ = false;
};

}  // namespace

int run(const Job& job) { return Supervisor(job).run(); }

}  // namespace sluice::launch
