// What the launcher exits with. Private to this folder.
#pragma once

#include <optional>

namespace sluice::launch {

constexpr int kSignalled = 128;  // a process that was asked to stop exits with this and the number of the signal

class Outcome {
public:
    // A process has exited with that code. True if it is the first that failed by itself: the others cannot go on.
    bool note_exit(int code);
    // A process or mpirun is lost. After a process failed by itself, this follows from that and does not count.
    void note_loss();
    [[nodiscard]] bool is_any_lost() const { return is_any_lost_; }
    // True if the first process that did not finish exited because it was asked to stop.
    [[nodiscard]] bool was_stopped() const { return first_code_ >= kSignalled; }
    // Exit::worker_lost after a loss, else the code of the first process that failed; nothing if none did.
    [[nodiscard]] std::optional<int> failure() const;

private:
    int first_code_ = 0;
    bool is_any_lost_ = false;
};

}  // namespace sluice::launch
