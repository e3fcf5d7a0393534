// A process that `host launch` has started: it tells the launcher that it lives, and is told when another is lost.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "launch/channel.hpp"

namespace sluice::launch {

class Member {
public:
    // What the launcher wants this process to do.
    struct Wishes {
        std::function<void(const std::string& reason)> lost;  // wait for the others no longer, save, and leave
        std::function<void()> stop;                           // save and stop, with all others
    };

    explicit Member(Channel channel);
    ~Member();
    Member(const Member&) = delete;
    Member& operator=(const Member&) = delete;

    // From now on wishes come, also one that came before; on a thread of its own. A process that is still there some
    // seconds after another was lost is ended, with Exit::worker_lost.
    void listen(Wishes wishes);
    // Of a process that has lost another: whether it falls to this one to save what was trained. It may know of the
    // loss before the launcher has told; then it asks.
    [[nodiscard]] bool saves();
    // Hands the launcher what this process has failed with; not the first process, which tells its own. False: nobody
    // else tells it.
    bool hand_over(std::string error);
    // Tells the launcher that it leaves by itself, with this exit code, and waits until it knows.
    void leave(int code);

private:
    void serve();
    void take(const std::string& line);
    bool is_let_go();

    Channel channel_;
    std::mutex mutex_;  // guards what follows
    std::condition_variable changed_;
    Wishes wishes_;
    std::optional<std::string> lost_;  // why this process is to leave
    bool saves_ = false;
    bool stops_ = false;
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
            own->listen({});
        }
    }
    Listening(const Listening&) = delete;
    Listening& operator=(const Listening&) = delete;
};

}  // namespace sluice::launch
