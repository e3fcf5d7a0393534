// Runs the built `host` as a user does, with arguments, a folder and an environment, and returns how it exited.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::test {

struct Finished {
    int exit = -1;    // -1 if a signal terminated it
    int signal = 0;   // 0 if it exited
    std::string out;  // standard output
    std::string err;  // standard error
    double cpu_seconds = 0.0;
    std::uint64_t peak_bytes = 0;  // of resident memory
};

// Returns ASAN_OPTIONS of this process with more of them.
std::string sanitizer_options(const std::string& more);

struct ProcessOptions {
    std::filesystem::path folder;
    std::map<std::string, std::string> environment;  // added to the test's own
    std::chrono::seconds deadline{120};              // a longer run hangs, even on a slow machine with sanitizers
    std::function<void()> before_start{};            // called in the new process, before it becomes the host
};

class HostProcess {
public:
    HostProcess(const std::vector<std::string>& arguments, const ProcessOptions& process_options);
    ~HostProcess();  // kills the process if it still runs
    HostProcess(const HostProcess&) = delete;
    HostProcess& operator=(const HostProcess&) = delete;

    void send(int signal) const;
    // Runs `action` while the process is stopped, so that the process sees nothing in between.
    template <class Action>
    void while_stopped(Action action) const {
        stop();
        action();
        send(SIGCONT);
    }
    // Waits until standard error contains `text`. Returns false if the process exits or the deadline passes before.
    bool wait_for_error_text(std::string_view text);
    bool wait_for_file(const std::filesystem::path& file);
    // Waits for a file whose time of writing is not `written`.
    bool wait_for_newer(const std::filesystem::path& file, std::filesystem::file_time_type written);
    // Waits for a file that contains `text`.
    bool wait_for_text(const std::filesystem::path& file, std::string_view text);
    // Waits until the process has a handler of the signal.
    bool wait_for_handler(int signal);
    // Waits for the exit. A process that runs longer than the deadline is killed, and its `signal` is SIGKILL.
    Finished finish();

private:
    template <class Condition>
    bool wait_until(Condition condition);
    bool reap(int flags);
    void stop() const;  // waits until all threads are stopped, or the process has exited

    std::chrono::seconds deadline_;
    pid_t pid_ = -1;
    int out_ = -1;
    int err_ = -1;
    int status_ = 0;
    rusage usage_{};
    bool ended_ = false;
};

}  // namespace sluice::test
