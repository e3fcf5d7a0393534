#include "launch/supervisor.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <thread>
#include <utility>

#include "base/error.hpp"
#include "base/host_name.hpp"
#include "base/log.hpp"
#include "base/machine.hpp"
#include "base/program_name.hpp"
#include "launch/channel.hpp"
#include "launch/mpirun.hpp"
#include "launch/process.hpp"
#include "launch/signal_queue.hpp"

namespace sluice::launch {
namespace {

constexpr int kSignalled = 128;  // exit codes from here on are of those that were asked to stop

constexpr std::chrono::milliseconds kLook{100};     // at all of them, at least so often
constexpr std::chrono::milliseconds kHearOut{400};  // whether a process is lost, before one that has given up is blamed
constexpr std::chrono::seconds kFirst{60};          // for the first to come: mpirun starts its own on all machines
constexpr std::chrono::seconds kOthers{6};          // for the next to come
constexpr std::chrono::seconds kEnd{30};            // for the others to end behind the first that has

class Supervisor {
public:
    explicit Supervisor(const sluice::launch::Job& job)
        : processes_(static_cast<std::size_t>(job.processes)),
          mpirun_(job, listener_.address(), signals_.before()),
          hosts_(job.mpirun_options.empty() ? "" : fmt::format(" ({})", fmt::join(job.mpirun_options, " "))),
          patience_(job.patience) {}

    int run() {
        while (!mpirun_.ended() || is_any_living()) {
            wait();
            greet();
            hear();
            look_for_mpirun();
            look_for_missing();
            look_for_silence();
            obey();
            end_in_time();
        }
        end_orphans();
        tell_errors();
        tell_checkpoint();
        return exit_code();
    }

private:
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
        ::poll(waits.data(), waits.size(), static_cast<int>(kLook.count()));
    }

    // Those that have come, until they have said who they are.
    void greet() {
        while (std::optional<Channel> guest = listener_.accept()) {
            guests_.push_back(std::move(*guest));
        }
        for (std::size_t i = 0; i < guests_.size();) {
            bool gone = false;
            const std::optional<std::string> hello = guests_[i].receive_line(gone);
            if (hello) {
                admit(*hello, i);
            }
            if (gone || hello) {
                guests_.erase(guests_.begin() + static_cast<std::ptrdiff_t>(i));
            } else {
                ++i;
            }
        }
    }

    void admit(const std::string& hello, std::size_t guest) {
        std::istringstream in(hello);
        std::string word;
        std::string question;
        std::size_t number = 0;
        Process process;
        in >> word >> question >> number >> process.pid >> process.host;
        if (word != "hello" || question != listener_.address().question() || number >= processes_.size() ||
            processes_[number].has_come() || processes_[number].is_lost) {
            return;  // nobody of ours, by another way as well, or too late
        }
        process.channel = std::move(guests_[guest]);
        process.heard = last_came_ = Clock::now();
        is_any_here_ = true;
        process.channel->send(listener_.address().answer());
        processes_[number] = std::move(process);
        if (reason_) {
            tell(number);
        } else if (stop_ != 0) {
            processes_[number].channel->send(fmt::format("stop {}", stop_));
        }
    }

    void hear() {
        std::vector<std::size_t> ended;
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
                ended.push_back(i);
            }
        }
        for (const std::size_t i : ended) {
            if (processes_[i].stop) {
                note_exit(i, *processes_[i].stop);
            } else {
                lose(i, "has ended without a word");
            }
        }
    }

    void take(std::size_t number, const std::string& line) {
        processes_[number].heard = Clock::now();
        if (line.starts_with("error ")) {
            processes_[number].error = line.substr(6);
            std::ranges::replace(processes_[number].error, kLineBreak, '\n');
        } else if (line.starts_with("last ")) {
            checkpoint_ = line.substr(5);
        } else if (line.starts_with("stopped ")) {
            processes_[number].stop = std::atoi(line.c_str() + 8);
        } else if (line.starts_with("bye ")) {
            note_exit(number, std::atoi(line.c_str() + 4));
        } else if (line == "asks" && !asks_since_) {
            asks_since_ = Clock::now();
            asks_ = number;
        }
    }

    // The code of the one that the others lost counts, also where it says so later than they.
    void note_exit(std::size_t number, int code) {
        processes_[number].code = code;
        processes_[number].channel.reset();
        if (reason_ && number == saver_) {
            leave_within(kFollow);
        }
        if (code == 0) {
            leave_within(kEnd);
            return;
        }
        if (first_code_ == 0) {
            first_code_ = code;
            if (code < kSignalled) {
                end_others(first_left(),
                           fmt::format("process {} on {} {}{}", number, processes_[number].host, kHasLeft, code));
            }
        } else if (first_code_ == static_cast<int>(Exit::worker_lost) && code < kSignalled) {
            first_code_ = code;
        }
    }

    void leave_within(Clock::duration time) {
        const Clock::time_point until = Clock::now() + time;
        leave_until_ = leave_until_ ? std::min(*leave_until_, until) : until;
    }

    // It ends behind its processes, unless it was killed, and what they have told may be on its way.
    void look_for_mpirun() {
        if (!mpirun_.ended()) {
            return;
        }
        if (!mpirun_ended_) {
            mpirun_ended_ = Clock::now();
            is_mpirun_killed_ = mpirun_.ended()->signal != 0 && !asked_to_end_;
        }
        if (reason_ || is_leaving_at_once_ || !is_any_living() ||
            (mpirun_.ended()->signal == 0 && Clock::now() - *mpirun_ended_ <= kHearOut)) {
            return;
        }
        note_loss();
        const std::string text = mpirun_.ended()->text();
        log::error(text);
        end_others(first_left(), text);
    }

    // All are started at about the same time, once mpirun has reached all machines.
    void look_for_missing() {
        const std::chrono::duration<double> usual = is_any_here_ ? kOthers : kFirst;
        const std::chrono::duration<double> patience(patience_.value_or(usual.count()));
        if (reason_ || is_leaving_at_once_ || Clock::now() - last_came_ <= patience) {
            return;
        }
        std::string names;
        std::size_t count = 0;
        for (std::size_t i = 0; i < processes_.size(); ++i) {
            if (!processes_[i].has_come()) {
                names += fmt::format("{} {}", count++ == 0 ? "process" : ",", i);
                processes_[i].is_lost = true;
            }
        }
        if (count == 0) {
            return;
        }
        note_loss();
        const std::string text = fmt::format(
            "{} {} not come within {:.0f} s{}: {} not started, stand{} still, or ended before {} could say so{}", names,
            count == 1 ? "has" : "have", patience.count(), is_any_here_ ? " of the others" : "",
            count == 1 ? "it was" : "they were", count == 1 ? "s" : "", count == 1 ? "it" : "they", limits_text());
        log::error(text);
        end_others(first_left(), text);
    }

    void look_for_silence() {
        for (std::size_t i = 0; i < processes_.size(); ++i) {
            if (processes_[i].lives() && Clock::now() - processes_[i].heard > kSilence) {
                lose(i, fmt::format("has told nothing for {} s", kSilence.count()));
            }
        }
        // One that has lost another may say so before the launcher finds which.
        if (asks_since_ && Clock::now() - *asks_since_ > kHearOut) {
            end_others(asks_, fmt::format("process {} on {} has given up", asks_, processes_[asks_].host));
        }
    }

    // Those that do not leave, and mpirun where it waits for some that cannot end.
    void end_in_time() {
        const bool all_left = std::ranges::all_of(processes_, &Process::has_left);
        if (all_left && !std::exchange(all_left_, all_left)) {
            leave_within(reason_ ? Clock::duration::zero() : Clock::duration(kFollow));
        }
        if (!leave_until_ || Clock::now() < *leave_until_) {
            return;
        }
        if (all_left && !reason_ && !is_leaving_at_once_ && std::ranges::none_of(processes_, &Process::is_here)) {
            log::warn("all processes have left and mpirun does not end: it is ended");
        }
        for (std::size_t i = 0; i < processes_.size(); ++i) {
            if (processes_[i].lives()) {
                lose(i, "does not leave and is ended");
            } else if (!reason_ && !is_leaving_at_once_ && processes_[i].is_here()) {
                log::warn(fmt::format("process {} on {} (pid {}) has said that it leaves and does not end: it is ended",
                                      i, processes_[i].host, processes_[i].pid));
                ::kill(processes_[i].pid, SIGKILL);
            }
        }
        mpirun_.signal(asked_to_end_ ? SIGKILL : SIGTERM);  // it ends those on other machines, also stopped ones
        asked_to_end_ = true;
        leave_until_ = Clock::now() + kFollow;
    }

    // Processes that have left and do not end: mpirun, which would wait for them, is dead.
    void end_orphans() const {
        if (!is_mpirun_killed_) {
            return;
        }
        for (const auto until = Clock::now() + kFollow;
             Clock::now() < until && std::ranges::any_of(processes_, &Process::is_here);) {
            std::this_thread::sleep_for(kLook / 10);
        }
        for (const Process& process : processes_) {
            if (process.is_here()) {
                ::kill(process.pid, SIGKILL);
            }
        }
    }

    // Each once; the first process has told its own, where mpirun was there to hand that on.
    void tell_errors() const {
        std::set<std::string_view> told{"", is_mpirun_killed_ ? std::string_view() : processes_.front().error};
        for (std::size_t i = 0; i < processes_.size(); ++i) {
            if (told.insert(processes_[i].error).second) {
                log::error(fmt::format("process {} on {}: {}", i, processes_[i].host, processes_[i].error));
            }
        }
    }

    // Where processes were lost and none could. Where another than the launcher has stopped them, as mpirun that was
    // asked to end, it may not have handed on what they told.
    void tell_checkpoint() const {
        const bool were_stopped = stop_ == 0 && first_code_ >= kSignalled;
        const auto names_it = [this](const Process& process) {
            return process.error.find(checkpoint_) != std::string::npos;
        };
        if ((!is_any_lost_ && !were_stopped) || std::ranges::any_of(processes_, names_it) ||
            !std::filesystem::exists(checkpoint_)) {
            return;
        }
        if (is_any_lost_) {
            log::error(fmt::format("the last checkpoint is {}", checkpoint_));
        } else {
            log::info(fmt::format("the processes were asked to stop; the last checkpoint is {}", checkpoint_));
        }
    }

    void lose(std::size_t number, const std::string& how) {
        Process& process = processes_[number];
        process.is_lost = true;
        if (is_leaving_at_once_) {
            return;
        }
        note_loss();
        const std::string text = fmt::format("process {} on {} (pid {}) {}", number, process.host, process.pid, how);
        log::error(text);
        end_others(first_left(), text, process.heard);
        if (process.host == host_name()) {
            ::kill(process.pid, SIGKILL);  // it may be stopped, or wait for ever
        }
    }

    // Behind the failure of another it follows from that.
    void note_loss() { is_any_lost_ = is_any_lost_ || first_code_ == 0 || first_code_ >= kSignalled; }

    [[nodiscard]] bool is_any_living() const { return std::ranges::any_of(processes_, &Process::lives); }

    [[nodiscard]] std::size_t first_left() const {
        return static_cast<std::size_t>(std::ranges::find_if(processes_, &Process::lives) - processes_.begin());
    }

    // All are to have left some time after the first could be known to be lost.
    void end_others(std::size_t saver, const std::string& reason, Clock::time_point since = Clock::now()) {
        if (reason_) {
            return;
        }
        reason_ = reason;
        saver_ = saver;
        lost_at_ = since;
        leave_within(lost_at_ + kLeave + kLook * 4 - Clock::now());
        for (std::size_t i = 0; i < processes_.size(); ++i) {
            if (processes_[i].lives()) {
                tell(i);
            }
        }
    }

    void tell(std::size_t number) const {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(lost_at_ + kLeave - Clock::now());
        processes_[number].channel->send(fmt::format("lost {} {} {}", saver_, left.count(), *reason_));
    }

    // What the user wants.
    void obey() {
        for (int signal = signals_.next(); signal != 0; signal = signals_.next()) {
            if (signal == SIGCHLD) {
                continue;
            }
            const bool is_of_user = signal == SIGINT || signal == SIGTERM;
            if (is_of_user && std::exchange(user_has_asked_, true)) {
                leave_at_once();
                continue;
            }
            if (stop_ != 0) {
                continue;
            }
            stop_ = signal;
            log::info(
                fmt::format("stopping after this step and saving{}", is_of_user ? "; once more to leave at once" : ""));
            for (const Process& process : processes_) {
                if (process.lives()) {
                    process.channel->send(fmt::format("stop {}", stop_));
                }
            }
        }
    }

    void leave_at_once() {
        is_leaving_at_once_ = true;
        for (Process& process : processes_) {
            if (process.is_here()) {
                ::kill(process.pid, SIGKILL);
            }
            process.is_lost = !process.code;
        }
        leave_within(Clock::duration::zero());
    }

    [[nodiscard]] int exit_code() {
        if (is_any_lost_) {
            return static_cast<int>(Exit::worker_lost);
        }
        if (is_leaving_at_once_ || (stop_ != 0 && (first_code_ >= kSignalled || !is_any_here_))) {
            return kSignalled + stop_;
        }
        if (first_code_ != 0) {
            return first_code_;
        }
        const bool all_left = std::ranges::all_of(processes_, [](const Process& process) { return process.code == 0; });
        return all_left ? 0 : tell_why_not_started();
    }

    // Where it could start none, what it was given is wrong: hosts, a way to them, or the program there.
    int tell_why_not_started() {
        const Mpirun::End& end = *mpirun_.ended();
        const bool says_why = !is_any_here_ && end.code != 0;
        log::error(fmt::format("{} before {} of the {} processes came{}{}", end.text(), is_any_here_ ? "all" : "any",
                               processes_.size(), hosts_, says_why ? "; what it has told stands above" : ""));
        return static_cast<int>(says_why ? Exit::config : Exit::worker_lost);
    }

    SignalQueue signals_;
    Listener listener_;
    std::vector<Process> processes_;
    Mpirun mpirun_;
    std::string hosts_;  // " (--host A,B)"
    std::optional<double> patience_;
    std::vector<Channel> guests_;
    Clock::time_point last_came_ = Clock::now();  // a process, or the start
    bool is_any_here_ = false;
    int stop_ = 0;                 // the signal that has asked to stop
    bool user_has_asked_ = false;  // by Ctrl-C or SIGTERM: the next one leaves at once
    bool is_leaving_at_once_ = false;
    int first_code_ = 0;  // of those that have failed
    bool is_any_lost_ = false;
    std::optional<Clock::time_point> asks_since_;  // a process that has lost another asks who saves
    std::size_t asks_ = 0;
    std::optional<std::string> reason_;             // why all are to leave
    Clock::time_point lost_at_;                     // then the first of them was
    std::size_t saver_ = 0;                         // the process that then saves what was trained
    std::optional<Clock::time_point> leave_until_;  // those that are left
    bool all_left_ = false;
    bool asked_to_end_ = false;
    std::optional<Clock::time_point> mpirun_ended_;
    bool is_mpirun_killed_ = false;  // by another
    std::string checkpoint_;         // the last one, once there is one
};

}  // namespace

int run(const Job& job) { return Supervisor(job).run(); }

}  // namespace sluice::launch
