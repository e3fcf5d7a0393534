#include "run/replica/replica_group.hpp"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/allocation_failure.hpp"
#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/machine.hpp"

namespace sluice::run {
namespace {

constexpr std::chrono::seconds kGrace{2};                // in which a replica can notice that the others have given up
constexpr std::chrono::milliseconds kBetweenLooks{250};  // between checks for stuck replicas, with several processes

bool is_of_another(const std::exception_ptr& failure) {
    try {
        std::rethrow_exception(failure);
    } catch (const Error& error) {
        return error.exit() == Exit::replica_lost;
    } catch (...) {
        return false;
    }
}

std::string text_of(const std::exception_ptr& failure) {
    try {
        std::rethrow_exception(failure);
    } catch (const std::exception& error) {
        return error.what();
    }
}

}  // namespace

struct ReplicaGroup::State {
    struct Member {
        std::unique_ptr<Replica> replica;
        std::exception_ptr failure;
        bool is_busy = false;
        bool is_stuck = false;  // the others continue without it
        std::thread thread;     // none if there is one replica
    };
    using Work = std::function<void(Member&, std::uint32_t)>;

    State(const registry::Strategy* of_all, std::uint32_t count)
        : strategy(of_all),
          first(strategy != nullptr ? strategy->topology().first_replica : 0),
          has_others_elsewhere(strategy != nullptr && strategy->topology().world_replicas > count),
          members(count) {}

    void run(std::uint32_t number, const Work& what) {
        Member& member = members[number];
        try {
            what(member, number);
        } catch (const Error&) {
            member.failure = std::current_exception();
        } catch (const std::bad_alloc& failure) {
            member.failure = std::make_exception_ptr(
                OutOfMemory(fmt::format("replica {}: {}", number, out_of_memory_text(failure))));
        } catch (const std::exception& error) {
            member.failure = std::make_exception_ptr(
                Error(Exit::device, fmt::format("replica {}: out of memory, or a bug in the program ({}){}", number,
                                                error.what(), memory_limits_text())));
        }
        // If the only replica of this process fails between steps, the caller gets the error and aborts the strategy.
        if (member.failure != nullptr && strategy != nullptr && (is_step || members.size() > 1)) {
            strategy->abort(fmt::format("replica {} has failed: {}", number, text_of(member.failure)));
        }
    }

    // The body of a replica's thread.
    void serve(std::uint32_t number) {
        ::pthread_setname_np(::pthread_self(), fmt::format("replica {}", first + number).c_str());
        Member& member = members[number];
        std::unique_lock lock(mutex);
        while (true) {
            called.wait(lock, [&] { return member.is_busy || is_ending; });
            if (!member.is_busy) {
                break;
            }
            const Work& what = *work;
            lock.unlock();
            run(number, what);
            lock.lock();
            if (member.is_stuck) {
                return;  // the group no longer waits for this thread
            }
            member.is_busy = false;
            returned.notify_all();
        }
        lock.unlock();
        member.replica.reset();
    }

    void call(const Work& what, double until, bool step) {
        std::unique_lock lock(mutex);
        work = &what;
        timeout = until;
        is_step = step;
        began = now();
        for (Member& member : members) {
            member.is_busy = !member.is_stuck;
        }
        if (members.size() == 1) {
            lock.unlock();
            run(0, what);
            lock.lock();
            members.front().is_busy = false;
        } else {
            called.notify_all();
            await_threads(lock);
        }
        if (is_overdue) {
            give_up_busy_ones();
        }
        lock.unlock();
        throw_failure();
    }

    void await_threads(std::unique_lock<std::mutex>& lock) {
        const auto any = [&](auto is) { return std::ranges::any_of(members, is); };
        const auto is_over = [&] { return !any(&Member::is_busy); };
        const auto some_failed = [&] {
            return any([](const Member& member) { return !member.is_busy && member.failure != nullptr; });
        };
        const auto some_returned = [&] {
            return is_overdue || any([](const Member& member) { return !member.is_busy && !member.is_stuck; });
        };
        if (timeout > 0.0) {
            returned.wait(lock, some_returned);
            returned.wait_for(lock, std::chrono::duration<double>(timeout),
                              [&] { return is_over() || some_failed() || is_overdue; });
            if (!is_over() && (some_failed() || is_overdue)) {
                returned.wait_for(lock, kGrace, is_over);
            }
        } else {
            returned.wait(lock, is_over);
        }
        if (!is_over()) {
            give_up_busy_ones();
        }
    }

    // The body of the watching thread, with several processes. If all replicas of this process hang, no other thread
    // here would notice, and the other processes would wait for them as long as for data.
    void watch() {
        std::unique_lock lock(mutex);
        while (!ending.wait_for(lock, kBetweenLooks, [this] { return is_ending; })) {
            const auto hangs = [this](const Member& member) {
                return member.is_busy && now() - std::max(began, member.replica->busy_since()) > timeout;
            };
            if (timeout > 0.0 && !is_overdue && std::ranges::any_of(members, hangs)) {
                is_overdue = true;
                overdue_text = text_of_busy_ones();
                strategy->abort(overdue_text);
                returned.notify_all();
            }
        }
    }

    // The mutex must be held.
    [[nodiscard]] std::string text_of_busy_ones() const {
        std::string names;
        std::string next;
        for (std::size_t i = 0; i < members.size(); ++i) {
            if (members[i].is_busy) {
                names += fmt::format("{}replica {}", names.empty() ? "" : ", ", first + i);
                next = is_step && next.empty() ? members[i].replica->missed() : next;
            }
        }
        return fmt::format("{} is stuck: it does not return from its part of {}{}", names,
                           is_step ? "a step" : "the work between steps",
                           next.empty() ? "" : fmt::format(", and did not come to {}", next));
    }

    // The mutex must be held.
    void give_up_busy_ones() {
        const std::string text = std::exchange(is_overdue, false) ? overdue_text : text_of_busy_ones();
        if (strategy != nullptr) {
            strategy->abort(text);
        }
        for (Member& member : members) {
            member.is_stuck = member.is_stuck || member.is_busy;
            member.is_busy = false;
            if (!member.is_stuck && member.failure == nullptr) {
                member.failure = std::make_exception_ptr(Error(Exit::replica_lost, text));
            }
        }
    }

    // A replica's own error takes precedence over errors that report the loss of another replica.
    void throw_failure() {
        std::exception_ptr chosen;
        for (Member& member : members) {
            if (member.is_stuck) {
                continue;
            }
            std::exception_ptr failure = std::exchange(member.failure, nullptr);
            if (failure != nullptr && (chosen == nullptr || is_of_another(chosen))) {
                chosen = std::move(failure);
            }
        }
        if (chosen != nullptr) {
            std::rethrow_exception(chosen);
        }
    }

    const registry::Strategy* strategy;  // null: there are no other replicas
    std::uint32_t first;                 // rank of the first member
    bool has_others_elsewhere;           // other processes have replicas
    std::vector<Member> members;
    std::mutex mutex;                  // guards the members below, and Member::is_busy
    std::condition_variable called;    // there is work, or is_ending is set
    std::condition_variable returned;  // a member returned, or the watcher found one stuck
    std::condition_variable ending;
    const Work* work = nullptr;
    double timeout = 0.0;  // of the current work, in seconds
    bool is_step = false;  // the current work belongs to a training step
    double began = 0.0;    // start of the current work, as now()
    bool is_overdue = false;
    std::string overdue_text;
    bool is_ending = false;
    std::thread watcher;  // only if other processes have replicas
};

ReplicaGroup::ReplicaGroup(std::shared_ptr<State> state) : state_(std::move(state)) {}

ReplicaGroup::ReplicaGroup(const registry::Strategy& strategy, const Make& make)
    : ReplicaGroup(std::make_shared<State>(&strategy, strategy.topology().local_replicas)) {
    if (size() > 1) {
        for (std::uint32_t i = 0; i < size(); ++i) {
            state_->members[i].thread = std::thread([state = state_, i] { state->serve(i); });
        }
    }
    if (state_->has_others_elsewhere) {
        state_->watcher = std::thread([state = state_.get()] { state->watch(); });
    }
    state_->call([&](State::Member& member, std::uint32_t number) { member.replica = make(number); }, 0.0, false);
}

ReplicaGroup::ReplicaGroup(std::unique_ptr<Replica> replica) : ReplicaGroup(std::make_shared<State>(nullptr, 1)) {
    state_->members.front().replica = std::move(replica);
}

ReplicaGroup::~ReplicaGroup() {
    {
        const std::lock_guard lock(state_->mutex);
        state_->is_ending = true;
    }
    state_->called.notify_all();
    state_->ending.notify_all();
    if (state_->watcher.joinable()) {
        state_->watcher.join();
    }
    for (State::Member& member : state_->members) {
        if (member.thread.joinable()) {
            member.is_stuck ? member.thread.detach() : member.thread.join();
        }
    }
}

Replica& ReplicaGroup::first() const {
    return *std::ranges::find_if_not(state_->members, &State::Member::is_stuck)->replica;
}

std::uint32_t ReplicaGroup::size() const { return static_cast<std::uint32_t>(state_->members.size()); }

void ReplicaGroup::each(const std::function<void(Replica&, std::uint32_t)>& work, double timeout, bool is_step) const {
    state_->call([&](State::Member& member, std::uint32_t number) { work(*member.replica, number); }, timeout, is_step);
}

Replica& ReplicaGroup::overflowed() const {
    const auto found = std::ranges::find_if(state_->members, [](const State::Member& member) {
        return !member.is_stuck && member.replica->overflowed_forward();
    });
    return found == state_->members.end() ? first() : *found->replica;
}

bool ReplicaGroup::is_stuck() const { return std::ranges::any_of(state_->members, &State::Member::is_stuck); }

}  // namespace sluice::run
