#include "run/replica_group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace sluice::run {
namespace {

constexpr std::chrono::seconds kGrace{2};  // for a replica to notice that the others have given up

bool is_of_another(const std::exception_ptr& failure) {
    try {
        std::rethrow_exception(failure);
    } catch (const Error& error) {
        return error.exit() == Exit::worker_lost;
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
        bool is_stuck = false;  // was given up
        std::thread thread;     // none where it is the only one
    };
    using Work = std::function<void(Member&, std::uint32_t)>;

    State(const registry::Strategy* of_all, std::uint32_t count) : strategy(of_all), members(count) {}

    void run(std::uint32_t number, const Work& what) {
        Member& member = members[number];
        try {
            what(member, number);
        } catch (const Error&) {
            member.failure = std::current_exception();
        } catch (const std::exception& error) {
            member.failure = std::make_exception_ptr(
                Error(Exit::device, fmt::format("replica {}: no memory, or worse ({})", number, error.what())));
        }
        if (member.failure != nullptr && strategy != nullptr) {
            strategy->abort(fmt::format("replica {} has failed: {}", number, text_of(member.failure)));
        }
    }

    // The life of a thread.
    void serve(std::uint32_t number) {
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
                return;  // nobody waits for it any more
            }
            member.is_busy = false;
            returned.notify_all();
        }
        lock.unlock();
        member.replica.reset();
    }

    void call(const Work& what, double patience) {
        if (members.size() == 1) {
            run(0, what);
        } else {
            call_threads(what, patience);
        }
        throw_failure();
    }

    void call_threads(const Work& what, double patience) {
        std::unique_lock lock(mutex);
        work = &what;
        for (Member& member : members) {
            member.is_busy = !member.is_stuck;
        }
        called.notify_all();
        const auto any = [&](auto is) { return std::ranges::any_of(members, is); };
        const auto is_over = [&] { return !any(&Member::is_busy); };
        const auto some_failed = [&] {
            return any([](const Member& member) { return !member.is_busy && member.failure != nullptr; });
        };
        const auto some_returned = [&] {
            return any([](const Member& member) { return !member.is_busy && !member.is_stuck; });
        };
        if (patience > 0.0) {
            returned.wait(lock, some_returned);
            returned.wait_for(lock, std::chrono::duration<double>(patience),
                              [&] { return is_over() || some_failed(); });
            if (!is_over() && some_failed()) {
                returned.wait_for(lock, kGrace, is_over);
            }
        } else {
            returned.wait(lock, is_over);
        }
        if (!is_over()) {
            give_up_busy_ones();
        }
    }

    // Under the mutex.
    void give_up_busy_ones() {
        std::string names;
        for (std::size_t i = 0; i < members.size(); ++i) {
            if (members[i].is_busy) {
                members[i].is_busy = false;
                members[i].is_stuck = true;
                names += fmt::format("{}replica {}", names.empty() ? "" : ", ", i);
            }
        }
        const std::string text = names + " is stuck: it does not come back from its part of a step";
        if (strategy != nullptr) {
            strategy->abort(text);
        }
        for (Member& member : members) {
            if (!member.is_stuck && member.failure == nullptr) {
                member.failure = std::make_exception_ptr(Error(Exit::worker_lost, text));
            }
        }
    }

    // What a replica has found itself comes before what others say of it.
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

    const registry::Strategy* strategy;  // null: nobody else waits
    std::vector<Member> members;
    std::mutex mutex;                  // guards what follows and is_busy of the members
    std::condition_variable called;    // there is work, or the end
    std::condition_variable returned;  // from it
    const Work* work = nullptr;
    bool is_ending = false;
};

ReplicaGroup::ReplicaGroup(std::shared_ptr<State> state) : state_(std::move(state)) {}

ReplicaGroup::ReplicaGroup(const registry::Strategy& strategy, const Make& make)
    : ReplicaGroup(std::make_shared<State>(&strategy, strategy.topology().local_replicas)) {
    if (size() > 1) {
        for (std::uint32_t i = 0; i < size(); ++i) {
            state_->members[i].thread = std::thread([state = state_, i] { state->serve(i); });
        }
    }
    state_->call([&](State::Member& member, std::uint32_t number) { member.replica = make(number); }, 0.0);
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

void ReplicaGroup::each(const std::function<void(Replica&, std::uint32_t)>& work, double patience) const {
    state_->call([&](State::Member& member, std::uint32_t number) { work(*member.replica, number); }, patience);
}

Replica& ReplicaGroup::overflowed() const {
    const auto found = std::ranges::find_if(state_->members, [](const State::Member& member) {
        return !member.is_stuck && member.replica->overflowed_forward();
    });
    return found == state_->members.end() ? first() : *found->replica;
}

bool ReplicaGroup::is_stuck() const { return std::ranges::any_of(state_->members, &State::Member::is_stuck); }

}  // namespace sluice::run
