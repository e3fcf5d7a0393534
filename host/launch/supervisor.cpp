#include "launch/supervisor.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <chrono>
#include <csignal>
#include <optional>
#include <thread>
#include <utility>
#include <variant>

#include "base/error.hpp"
#include "base/host_name.hpp"
#include "base/log.hpp"
#include "launch/channel.hpp"
#include "launch/exit_deadline.hpp"
#include "launch/final_report.hpp"
#include "launch/messages.hpp"
#include "launch/mpirun.hpp"
#include "launch/noted_exits.hpp"
#include "launch/process.hpp"
#include "launch/processes.hpp"
#include "launch/rendezvous.hpp"
#include "launch/stop_requests.hpp"
#include "launch/timeouts.hpp"

namespace sluice::launch {
namespace {

constexpr std::chrono::milliseconds kPollInterval{100};   // the launcher checks all processes at least this often
constexpr std::chrono::milliseconds kQuestionDelay{400};  // for the launcher to find the lost process before it answers
constexpr std::chrono::seconds kOrderlyExitTimeout{30};   // for the others to exit after the first one finished

// A process that lost another asks who saves what was trained.
struct Question {
    std::size_t asker;
    Clock::time_point since;
};

class Supervisor {
public:
    explicit Supervisor(const LaunchRequest& request)
        : rendezvous_(request.timeout),
          processes_(static_cast<std::size_t>(request.processes)),
          mpirun_(request, rendezvous_.address(), requests_.queue().before()),
          hosts_(request.mpirun_options.empty() ? "" : fmt::format(" ({})", fmt::join(request.mpirun_options, " "))) {}

    int run() {
        while (!mpirun_.ended() || processes_.is_any_living()) {
            wait();
            admit();
            receive();
            check_mpirun();
            check_missing();
            check_heartbeats();
            handle_requests();
            enforce_deadline();
        }
        kill_orphans();
        log_errors(processes_, mpirun_.was_killed());
        // If mpirun stopped the processes, and not the launcher, it may not have forwarded what they logged.
        if (noted_exits_.is_any_lost() || (requests_.signal() == 0 && noted_exits_.was_stopped())) {
            log_last_checkpoint(processes_, checkpoint_, noted_exits_.is_any_lost());
        }
        return exit_code();
    }

private:
    void wait() const {
        std::vector<pollfd> waits{{requests_.queue().handle(), POLLIN, 0}};
        rendezvous_.add_sockets(waits);
        processes_.add_sockets(waits);
        ::poll(waits.data(), waits.size(), static_cast<int>(kPollInterval.count()));
    }

    // A process that joins late gets the message that the others got before.
    void admit() {
        for (const std::size_t rank : rendezvous_.admit(processes_)) {
            if (exit_deadline_.has_reason()) {
                processes_[rank].channel->send(to_line(exit_deadline_.notice(Clock::now())));
            } else if (requests_.signal() != 0) {
                processes_[rank].channel->send(to_line(StopOrder{requests_.signal()}));
            }
        }
    }

    void receive() {
        std::vector<std::size_t> closed;
        for (std::size_t i = 0; i < processes_.size(); ++i) {
            if (!processes_[i].lives()) {
                continue;
            }
            bool is_closed = false;
            for (const std::string& line : processes_[i].channel->receive(is_closed)) {
                take(i, line);
            }
            if (is_closed && processes_[i].lives()) {
                closed.push_back(i);
            }
        }
        for (const std::size_t i : closed) {
            if (processes_[i].stop) {
                note_exit(i, *processes_[i].stop);
            } else {
                lose(i, "has exited unexpectedly");
            }
        }
    }

    void take(std::size_t rank, const std::string& line) {
        processes_[rank].heard = Clock::now();
        if (const auto message = parse_process_message(line)) {
            std::visit([&](const auto& one) { handle(rank, one); }, *message);
        }
    }

    static void handle(std::size_t, const Heartbeat&) {}
    void handle(std::size_t rank, const ErrorReport& report) { processes_[rank].error = report.error; }
    void handle(std::size_t, const CheckpointReport& report) { checkpoint_ = report.file; }
    void handle(std::size_t, const SignalReport& report) { noted_exits_.note_signal(report.signal); }
    void handle(std::size_t rank, const StopReport& report) { processes_[rank].stop = report.code; }
    void handle(std::size_t rank, const ExitNotice& notice) { note_exit(rank, notice.code); }
    void handle(std::size_t rank, const SaverQuestion&) {
        if (!question_) {
            question_ = {rank, Clock::now()};
        }
    }

    void note_exit(std::size_t rank, int code) {
        processes_[rank].code = code;
        processes_[rank].channel.reset();
        if (exit_deadline_.is_saver(rank)) {
            exit_deadline_.leave_within(kShortExitTimeout, Clock::now());
        }
        if (code == 0) {
            exit_deadline_.leave_within(kOrderlyExitTimeout, Clock::now());
        }
        if (noted_exits_.note_exit(code)) {
            shut_down(
                {.saver = processes_.first_living(),
                 .code = code,
                 .reason = fmt::format("process {} on {} has exited with code {}", rank, processes_[rank].host, code)});
        }
    }

    // mpirun exits after its processes unless it fails. Their last messages may still be on their way.
    void check_mpirun() {
        if (!mpirun_.ended() || !exit_deadline_.is_orderly() || !processes_.is_any_living() ||
            (mpirun_.ended()->signal == 0 && Clock::now() - mpirun_.ended()->at <= kQuestionDelay)) {
            return;
        }
        noted_exits_.note_lost_replica();
        const std::string text = mpirun_.ended()->text();
        log::error(text);
        shut_down({.saver = processes_.first_living(), .reason = text});
    }

    void check_missing() {
        if (!exit_deadline_.is_orderly() || !rendezvous_.is_over(Clock::now())) {
            return;
        }
        std::vector<std::size_t> missing;
        for (std::size_t i = 0; i < processes_.size(); ++i) {
            if (!processes_[i].has_come()) {
                missing.push_back(i);
                processes_[i].is_lost = true;
            }
        }
        if (missing.empty()) {
            return;
        }
        noted_exits_.note_lost_replica();
        const std::string text = rendezvous_.describe_missing(missing);
        log::error(text);
        shut_down({.saver = processes_.first_living(), .reason = text});
    }

    // If this process was suspended since the last check, the others may have been too: their silence does not count.
    void check_heartbeats() {
        const Clock::time_point now = Clock::now();
        if (now - checked_at_ > kHeartbeatInterval + kPollInterval) {
            processes_.excuse_silence(now);
        }
        checked_at_ = now;
        for (const std::size_t rank : processes_.silent_since(now - kHeartbeatTimeout)) {
            lose(rank, fmt::format("has sent no heartbeat for {} s", kHeartbeatTimeout.count()));
        }
        // A process that lost another may ask before the launcher knows which one is lost.
        if (question_ && Clock::now() - question_->since > kQuestionDelay) {
            const std::size_t asker = question_->asker;
            shut_down(
                {.saver = asker,
                 .reason = fmt::format("process {} on {} reported a lost replica", asker, processes_[asker].host)});
        }
    }

    // Kills processes that do not exit in time, and mpirun if it waits for processes that cannot exit.
    void enforce_deadline() {
        const bool all_left = processes_.have_all_left();
        if (all_left && !std::exchange(all_left_, all_left)) {
            exit_deadline_.leave_within(
                exit_deadline_.has_reason() ? Clock::duration::zero() : Clock::duration(kShortExitTimeout),
                Clock::now());
        }
        if (!exit_deadline_.is_overdue(Clock::now())) {
            return;
        }
        if (all_left && exit_deadline_.is_orderly() && !processes_.is_any_here()) {
            log::warn("all ranks have exited but mpirun is still running; stopping it");
        }
        for (std::size_t i = 0; i < processes_.size(); ++i) {
            const Process& process = processes_[i];
            if (process.lives()) {
                lose(i, "did not exit in time and is killed");
            } else if (exit_deadline_.is_orderly() && process.is_here()) {
                log::warn(
                    fmt::format("process {} on {} (pid {}) has announced its exit but is still running; killing it", i,
                                process.host, process.pid));
                ::kill(process.pid, SIGKILL);
            }
        }
        mpirun_.stop();
        exit_deadline_.extend(Clock::now());
    }

    // Kills processes that announced their exit but still run. It is needed if mpirun, which waits for them, was
    // killed.
    void kill_orphans() const {
        if (!mpirun_.was_killed()) {
            return;
        }
        for (const auto until = Clock::now() + kShortExitTimeout; Clock::now() < until && processes_.is_any_here();) {
            std::this_thread::sleep_for(kPollInterval / 10);
        }
        processes_.kill_here();
    }

    void lose(std::size_t rank, const std::string& how) {
        Process& process = processes_[rank];
        process.is_lost = true;
        if (exit_deadline_.is_at_once()) {
            return;
        }
        noted_exits_.note_lost_replica();
        const std::string text = fmt::format("process {} on {} (pid {}) {}", rank, process.host, process.pid, how);
        log::error(text);
        shut_down({.saver = processes_.first_living(), .reason = text}, process.heard);
        if (process.host == host_name()) {
            ::kill(process.pid, SIGKILL);  // it may be stopped or hang
        }
    }

    // `since`: when the lost process was last heard of. The time to exit counts from then.
    void shut_down(LostReplicaNotice notice, Clock::time_point since = Clock::now()) {
        if (exit_deadline_.begin(std::move(notice), since, Clock::now())) {
            processes_.send(exit_deadline_.notice(Clock::now()));
        }
    }

    void handle_requests() {
        using Request = StopRequests::Request;
        for (Request request = requests_.next(); request != Request::none; request = requests_.next()) {
            if (request == Request::leave_at_once) {
                leave_at_once();
                continue;
            }
            log::info(fmt::format("stopping after this step and saving{}",
                                  requests_.is_by_user() ? "; once more to leave at once" : ""));
            processes_.send(StopOrder{requests_.signal()});
        }
    }

    void leave_at_once() {
        processes_.kill_here();
        for (std::size_t i = 0; i < processes_.size(); ++i) {
            processes_[i].is_lost = !processes_[i].code;
        }
        exit_deadline_.begin_at_once(Clock::now());
    }

    [[nodiscard]] int exit_code() {
        const int stop = requests_.signal();
        const bool is_stopped = stop != 0 && (noted_exits_.was_stopped() || !rendezvous_.has_any_joined());
        if (!noted_exits_.is_any_lost() && (exit_deadline_.is_at_once() || is_stopped)) {
            return kSignalled + stop;
        }
        if (const std::optional<int> failure = noted_exits_.failure()) {
            return *failure;
        }
        return processes_.are_all_done()
                   ? 0
                   : log_why_not_started(*mpirun_.ended(), rendezvous_.has_any_joined(), processes_.size(), hosts_);
    }

    StopRequests requests_;  // first: signals are blocked before mpirun starts
    Rendezvous rendezvous_;
    Processes processes_;
    Mpirun mpirun_;
    std::string hosts_;  // " (--host A,B)"
    NotedExits noted_exits_;
    ExitDeadline exit_deadline_;
    Clock::time_point checked_at_ = Clock::now();  // the heartbeats
    std::optional<Question> question_;
    bool all_left_ = false;
    std::string checkpoint_;  // path of the last one; empty: none was reported
};

}  // namespace

int run(const LaunchRequest& request) { return Supervisor(request).run(); }

}  // namespace sluice::launch
