#include "run/replica/replica_group.hpp"

#include <fmt/format.h>
#include <pthread.h>

#include <atomic>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/allocation_failure.hpp"
#include "base/error.hpp"
#include "base/machine.hpp"
#include "run/collective/exchange.hpp"
#include "run/replica/replica_threads.hpp"
#include "run/replica/stuck_watch.hpp"

namespace sluice::run {
namespace {

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
    using Work = std::function<void(std::uint32_t local)>;

    State(const registry::Strategy* of_all, std::uint32_t count)
        : strategy(of_all),
          first_rank(strategy != nullptr ? strategy->topology().first_replica : 0),
          replicas(count),
          threads(count) {}

    // The body of a replica's thread.
    void serve(std::uint32_t local) {
        ::pthread_setname_np(::pthread_self(), fmt::format("replica {}", first_rank + local).c_str());
        if (threads.serve(local)) {
            replicas[local].reset();
        }
    }

    void call(const Work& work, double timeout, bool step) {
        is_step = step;
        const ReplicaThreads::Outcome outcome =
            threads.run([&](std::uint32_t local) { return attempt(work, local); }, timeout);
        std::string reason = outcome.interruption;
        if (reason.empty() && !outcome.given_up.empty()) {
            reason = stuck_text(outcome.given_up);
        }
        if (!reason.empty() && strategy != nullptr) {
            strategy->abort(reason);
        }
        throw_failure(reason);
    }

    std::exception_ptr attempt(const Work& work, std::uint32_t local) {
        std::exception_ptr failure;
        try {
            work(local);
        } catch (const Error&) {
            failure = std::current_exception();
        } catch (const std::bad_alloc& error) {
            failure =
                std::make_exception_ptr(OutOfMemory(fmt::format("replica {}: {}", local, out_of_memory_text(error))));
        } catch (const std::exception& error) {
            failure = std::make_exception_ptr(
                Error(Exit::device, fmt::format("replica {}: out of memory, or a bug in the program ({}){}", local,
                                                error.what(), memory_limits_text())));
        }
        // If the only replica of this process fails between steps, the caller gets the error and aborts the strategy.
        if (failure != nullptr && strategy != nullptr && (is_step || replicas.size() > 1)) {
            strategy->abort(fmt::format("replica {} has failed: {}", local, text_of(failure)));
        }
        return failure;
    }

    [[nodiscard]] std::string stuck_text(const std::vector<std::uint32_t>& locals) const {
        std::string names;
        std::string next;
        for (const std::uint32_t local : locals) {
            names += fmt::format("{}replica {}", names.empty() ? "" : ", ", first_rank + local);
            if (is_step && next.empty()) {
                next = exchange_of(local).next_collective();
            }
        }
        return fmt::format("{} is stuck: it does not return from its part of {}{}", names,
                           is_step ? "a step" : "the work between steps",
                           next.empty() ? "" : fmt::format(", and did not join {}", next));
    }

    // Only for replicas that other replicas may wait for.
    [[nodiscard]] const Exchange& exchange_of(std::uint32_t local) const {
        return *replicas[local]->training().exchange();
    }

    // Replicas without a failure of their own fail for `reason`, if there is one. A replica's own error takes
    // precedence over errors that report the loss of another replica.
    void throw_failure(const std::string& reason) {
        std::exception_ptr chosen;
        for (std::uint32_t local = 0; local < threads.size(); ++local) {
            if (threads.is_stuck(local)) {
                continue;
            }
            std::exception_ptr failure = threads.take_failure(local);
            if (failure == nullptr && !reason.empty()) {
                failure = std::make_exception_ptr(Error(Exit::replica_lost, reason));
            }
            if (failure != nullptr && (chosen == nullptr || is_of_another(chosen))) {
                chosen = std::move(failure);
            }
        }
        if (chosen != nullptr) {
            std::rethrow_exception(chosen);
        }
    }

    const registry::Strategy* strategy;  // null: there are no other replicas
    std::uint32_t first_rank;            // of the replicas of this process
    std::vector<std::unique_ptr<Replica>> replicas;
    std::atomic<bool> is_step = false;  // the current work belongs to a training step
    ReplicaThreads threads;
    std::optional<StuckWatch> watch;  // only if other processes have replicas
};

ReplicaGroup::ReplicaGroup(std::shared_ptr<State> state) : state_(std::move(state)) {}

ReplicaGroup::ReplicaGroup(const registry::Strategy& strategy, const Make& make)
    : ReplicaGroup(std::make_shared<State>(&strategy, strategy.topology().local_replicas)) {
    state_->threads.start([state = state_](std::uint32_t local) { state->serve(local); });
    if (!is_whole_world()) {
        State* const state = state_.get();
        state->watch.emplace(
            state->threads,
            [state](std::uint32_t local) { return state->exchange_of(local).collectives().busy_since(); },
            [state](const std::vector<std::uint32_t>& working) {
                std::string text = state->stuck_text(working);
                state->strategy->abort(text);
                return text;
            });
    }
    state_->call([&](std::uint32_t local) { state_->replicas[local] = make(local); }, 0.0, false);
}

ReplicaGroup::ReplicaGroup(std::unique_ptr<Replica> replica) : ReplicaGroup(std::make_shared<State>(nullptr, 1)) {
    state_->replicas.front() = std::move(replica);
}

ReplicaGroup::~ReplicaGroup() {
    state_->watch.reset();
    state_->threads.stop();
}

Replica& ReplicaGroup::first() const {
    std::uint32_t local = 0;
    while (state_->threads.is_stuck(local)) {
        ++local;
    }
    return *state_->replicas[local];
}

std::uint32_t ReplicaGroup::size() const { return state_->threads.size(); }

bool ReplicaGroup::is_whole_world() const {
    return state_->strategy == nullptr || state_->strategy->topology().world_replicas == size();
}

void ReplicaGroup::each(const std::function<void(Replica&, std::uint32_t)>& work, double timeout, bool is_step) const {
    state_->call([&](std::uint32_t local) { work(*state_->replicas[local], local); }, timeout, is_step);
}

Replica& ReplicaGroup::overflowed() const {
    for (std::uint32_t local = 0; local < size(); ++local) {
        if (!state_->threads.is_stuck(local) && state_->replicas[local]->training().faults().is_in_forward()) {
            return *state_->replicas[local];
        }
    }
    return first();
}

bool ReplicaGroup::is_stuck() const {
    for (std::uint32_t local = 0; local < size(); ++local) {
        if (state_->threads.is_stuck(local)) {
            return true;
        }
    }
    return false;
}

}  // namespace sluice::run
