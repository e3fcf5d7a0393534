// The exit code of the launcher. Private to this folder.
#pragma once

#include <optional>

namespace sluice::launch {

constexpr int kSignalled = 128;  // a process that was asked to stop exits with this plus the signal's number

class NotedExits {
public:
    // Notes the exit code of a process. Returns true if it is the first that failed by itself: the others cannot
    // continue.
    bool note_exit(int code);
    // Notes the signal that asked one of the processes to stop. The first one gives the code of a stopped training.
    void note_signal(int signal);
    // Notes that a process or mpirun is lost. If a process failed by itself before, that is a consequence and does not
    // count.
    void note_lost_replica();
    [[nodiscard]] bool is_any_lost() const { return is_any_lost_; }
    // True if the first process that did not finish exited because it was asked to stop.
    [[nodiscard]] bool was_stopped() const { return first_code_ >= kSignalled; }
    // Exit::replica_lost if one is lost, else the code of the first process that failed or stopped; nothing if none
    // did.
    [[nodiscard]] std::optional<int> failure() const;

private:
    int first_code_ = 0;
    int signal_ = 0;  // 0: none was noted
    bool is_any_lost_ = false;
};

}  // namespace sluice::launch
