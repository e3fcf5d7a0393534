// A process that `host launch` has started: it tells the launcher that it lives, and is told when another is lost.
#pragma once

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "base/error.hpp"
#include "launch/channel.hpp"

namespace sluice::launch {

class Member {
public:
    // What the launcher wants this process to do.
    struct Wishes {
        std::function<void(const std::string& reason)> lost;  // wait for the others no longer, save, and leave
        std::function<void(int signal)> stop;                 // save and stop, with all others
    };

    explicit Member(Channel channel);
    ~Member();
    Member(const Member&) = delete;
    Member& operator=(const Member&) = delete;

    // From now on wishes come, also one that came before; on a thread of its own. When another is lost, a process that
    // does not listen yet has nothing to save and is ended at once, with Exit::worker_lost, and one that listens where
    // it is still there when the time for that is over.
    void listen(Wishes wishes);
    // There is something to save from now on.
    void begin_training();
    // Listens no more: what there was to save was saved, and where it fails that is still to be told.
    void stop_listening(bool fails);
    // Of a process that has lost another: whether it falls to this one to save what was trained. It may know of the
    // loss before the launcher has told; then it asks.
    [[nodiscard]] bool saves();
    // Hands the launcher what this process has failed with; not the first process, which tells its own. False: nobody
    // else tells it.
    bool hand_over(std::string error);
    // Where the last checkpoint will be, should nobody be left to name it.
    void tell_checkpoint(const std::string& file);
    // This process has done its part of a run that was asked to stop, and will leave with this code: should it be ended
    // before, that is no loss.
    void tell_stopped(int code);
    // Tells the launcher that it leaves by itself, with this exit code, and waits until it knows.
    void leave(int code);

private:
    using Clock = std::chrono::steady_clock;
    enum class Phase { starting, ready, training, ending };

    // Another process is lost, and this one is to leave.
    struct Loss {
        std::string reason;
        bool is_saved_here;  // by this process, what was trained
        Clock::time_point at;
        Clock::time_point leave_at;
    };

    [[noreturn]] void leave_without_thread(const std::string& why);
    void say_bye(Exit exit);
    void serve();
    void take(const std::string& line);
    void note_loss(std::string reason, bool is_saved_here, std::chrono::milliseconds time);
    bool is_let_go();
    void leave_in_time();
    void begin_ending();

    Channel channel_;
    std::mutex mutex_;  // guards what follows
    std::condition_variable changed_;
    Phase phase_ = Phase::starting;
    Clock::time_point ends_since_;
    Wishes wishes_;
    std::optional<Loss> loss_;
    bool is_alone_ = false;  // the launcher is gone
    int stop_ = 0;           // the signal by which the user has asked to stop
    bool is_leaving_ = false;
    bool is_let_go_ = false;
    bool is_ending_ = false;
    std::thread thread_;
};

// This process as such; null where no launcher has started it. The first call throws Error(Exit::worker_lost) where the
// launcher is not reached.
Member* member();

// Listens as long as it lives.
class Listening {
public:
    explicit Listening(Member::Wishes wishes) {
        if (Member* const own = member()) {
            own->listen(std::move(wishes));
        }
    }
    ~Listening() {
        if (Member* const own = member()) {
            own->stop_listening(std::uncaught_exceptions() > 0);
        }
    }
    void begin_training() const {
        if (Member* const own = member()) {
            own->begin_training();
        }
    }
    Listening(const Listening&) = delete;
    Listening& operator=(const Listening&) = delete;
};

}  // namespace sluice::launch
