#include "check/isolation/isolated.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.hpp"
#include "base/machine.hpp"

namespace sluice::check {
namespace {

using nlohmann::json;

// Writes each message at once, as one line of JSON, so that a crash loses nothing.
class PipeReport final : public Report {
public:
    explicit PipeReport(int end) : end_(end) {}
    void begin(const Finding& next) override { send("begin", next); }
    void add(const Finding& finding) override { send("add", finding); }
    // Reports that all checks have run. Without it, something else has stopped the process.
    void end() const { send("end", {}); }

private:
    void send(const char* message, const Finding& finding) const {
        const json all{message,           static_cast<int>(finding.result),
                       finding.component, finding.provider,
                       finding.place,     finding.reason};
        const std::string line = all.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
        for (std::size_t sent = 0; sent < line.size();) {
            const ssize_t now = ::write(end_, line.data() + sent, line.size() - sent);
            if (now < 0 && errno != EINTR) {
                ::_exit(1);
            }
            sent += static_cast<std::size_t>(std::max<ssize_t>(now, 0));
        }
    }

    int end_;
};

// Exits by _exit(), so that nothing of the parent is flushed or destroyed twice. Uses exit() only if that is what is
// checked.
[[noreturn]] void run_child(const Finding& first, const Isolation& isolation,
                            const std::function<void(Report&)>& checks, int end) {
    ::setpgid(0, 0);  // so that processes which the plugin starts are killed with it
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTERM, SIGINT}) {
        std::signal(signal, SIG_DFL);
    }
    PipeReport report(end);
    try {
        checks(report);
    } catch (const std::exception& error) {
        Finding failed = first;
        failed.result = Result::failed;
        failed.reason = reason_of(error);
        report.add(failed);
    }
    report.end();
    if (isolation.exits) {
        std::exit(0);
    }
    ::_exit(0);
}

using Clock = std::chrono::steady_clock;

// Waits until `end` is readable. Returns false if the deadline passes first.
bool wait_for(int end, const std::optional<Clock::time_point>& deadline) {
    for (;;) {
        const auto left =
            deadline ? std::chrono::ceil<std::chrono::milliseconds>(*deadline - Clock::now()).count() : -1;
        pollfd readable{end, POLLIN, 0};
        const int found =
            deadline && left <= 0 ? 0 : ::poll(&readable, 1, static_cast<int>(std::min<long>(left, 1 << 30)));
        if (found >= 0 || errno != EINTR) {
            return found != 0;
        }
    }
}

// Gives each line to `use`, but not one that a crash has cut. Returns false if the deadline passes before the end.
bool read_lines(int end, const std::optional<Clock::time_point>& deadline,
                const std::function<void(const std::string&)>& use) {
    std::string text;
    std::array<char, 4096> part{};
    while (wait_for(end, deadline)) {
        const ssize_t got = ::read(end, part.data(), part.size());
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return true;
        }
        text.append(part.data(), static_cast<std::size_t>(got));
        for (std::size_t length = text.find('\n'); length != std::string::npos; length = text.find('\n')) {
            use(text.substr(0, length));
            text.erase(0, length + 1);
        }
    }
    return false;
}

std::string how_it_ended(int status, const std::string& hint) {
    if (WIFSIGNALED(status)) {
        const bool is_bad_address = WTERMSIG(status) == SIGSEGV || WTERMSIG(status) == SIGBUS;
        return fmt::format("crashes: {}{}", ::strsignal(WTERMSIG(status)), is_bad_address ? hint : "");
    }
    return fmt::format("exits the process with code {}", WEXITSTATUS(status));
}

Finding skipped_without_process(const Finding& first, int error) {
    Finding skipped = first;
    skipped.result = Result::skipped;
    skipped.lacked_threads = true;
    skipped.reason = fmt::format("a process could not be started: {}{}", std::strerror(error), limits_text());
    return skipped;
}

}  // namespace

std::string reason_of(const std::exception& error) {
    return dynamic_cast<const std::bad_alloc*>(&error) == nullptr
               ? error.what()
               : "not enough memory for the sizes that the plugin asks for or reports";
}

void run_isolated(const Finding& first, const Isolation& isolation, const std::function<void(Report&)>& checks,
                  const std::function<void(const Finding&)>& notify) {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) {
        throw Error(Exit::device, fmt::format("cannot make a pipe for checks: {}", std::strerror(errno)));
    }
    const pid_t child = ::fork();
    if (child < 0) {
        notify(skipped_without_process(first, errno));
        ::close(ends[0]);
        ::close(ends[1]);
        return;
    }
    if (child == 0) {
        ::close(ends[0]);
        run_child(first, isolation, checks, ends[1]);
    }
    ::close(ends[1]);
    Finding current = first;
    bool is_done = false;
    std::optional<Clock::time_point> deadline;
    if (isolation.limit.count() > 0) {
        deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(isolation.limit);
    }
    const bool in_time = read_lines(ends[0], deadline, [&](const std::string& line) {
        const json all = json::parse(line);
        const Finding finding{static_cast<Result>(all[1].get<int>()), all[2], all[3], all[4], all[5]};
        if (all[0] == "begin") {
            current = finding;
        } else if (all[0] == "end") {
            is_done = true;
        } else {
            notify(finding);
        }
    });
    ::close(ends[0]);
    if (!in_time) {
        ::kill(-child, SIGKILL);
        ::kill(child, SIGKILL);
    }
    int status = 0;
    if (::waitpid(child, &status, 0) != child) {
        throw Error(Exit::device, fmt::format("cannot wait for a child process of checks: {}", std::strerror(errno)));
    }
    if (!in_time || !is_done || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        const std::string end = in_time ? how_it_ended(status, isolation.hint)
                                        : fmt::format("hangs: it was killed after {} s", isolation.limit.count());
        current.result = Result::crashed;
        current.reason = current.reason.empty() ? end : fmt::format("{}; {}", end, current.reason);
        notify(current);
    }
}

}  // namespace sluice::check
