// A training as a process of its own, which can be paused: all its threads and child processes stop until it goes on.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace sluice::diagnose {

struct ProcessRequest {
    std::vector<std::string> words;  // the program's file and its arguments
    std::filesystem::path output;    // file of its standard output and error
};

class TrainingProcess {
public:
    // Starts the process. If this process is killed, it is killed too. Throws Error(Exit::device) if it cannot start.
    explicit TrainingProcess(const ProcessRequest& request);
    // Kills the process and its child processes.
    ~TrainingProcess();
    TrainingProcess(const TrainingProcess&) = delete;
    TrainingProcess& operator=(const TrainingProcess&) = delete;

    // Returns after all its threads have stopped, or the process has exited; after 2 s at the latest.
    void pause();
    void go_on();
    // True after the process has exited.
    [[nodiscard]] bool has_exited();
    // Asks it to stop and save, and kills it after `seconds`. Returns its exit code, or -1 if it was killed.
    int finish(double seconds);
    [[nodiscard]] pid_t id() const { return pid_; }
    // The exit code, if it has exited; -1: a signal killed it.
    [[nodiscard]] int code() const { return code_; }
    // Returns the last line of its output that reports an error; empty if there is none.
    [[nodiscard]] std::string error() const;

private:
    void send(int signal) const;
    bool reap(int flags);
    bool has_stopped();
    void note_exit(int status);

    pid_t pid_ = -1;
    bool has_exited_ = false;
    int code_ = 0;
    std::filesystem::path output_;
};

}  // namespace sluice::diagnose
