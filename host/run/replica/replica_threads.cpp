#include "run/replica/replica_threads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/clock.hpp"
#include "profile/recorder.hpp"

namespace sluice::run {
namespace {

constexpr std::chrono::seconds kGrace{2};  // in which a replica can notice that the others have given up

}  // namespace

void ReplicaThreads::start(const std::function<void(std::uint32_t local)>& body) {
    if (members_.size() > 1) {
        for (std::uint32_t local = 0; local < size(); ++local) {
            members_[local].thread = std::thread([body, local] {
                profile::name_thread(SLUICE_THREAD_COMPUTE, fmt::format("replica {}", local));
                body(local);
            });
        }
    }
}

bool ReplicaThreads::serve(std::uint32_t local) {
    Member& member = members_[local];
    std::unique_lock lock(mutex_);
    while (true) {
        called_.wait(lock, [&] { return member.is_busy || is_stopping_; });
        if (!member.is_busy) {
            return true;
        }
        const Work& work = *work_;
        lock.unlock();
        std::exception_ptr failure = work(local);
        lock.lock();
        member.failure = std::move(failure);
        if (member.is_stuck) {
            return false;
        }
        member.is_busy = false;
        returned_.notify_all();
    }
}

void ReplicaThreads::stop() {
    {
        const std::lock_guard lock(mutex_);
        is_stopping_ = true;
    }
    called_.notify_all();
    for (Member& member : members_) {
        if (member.thread.joinable()) {
            member.is_stuck ? member.thread.detach() : member.thread.join();
        }
    }
}

ReplicaThreads::Outcome ReplicaThreads::run(const Work& work, double timeout) {
    std::unique_lock lock(mutex_);
    work_ = &work;
    timeout_ = timeout;
    began_ = now();
    for (Member& member : members_) {
        member.is_busy = !member.is_stuck;
    }
    if (members_.size() == 1) {
        lock.unlock();
        std::exception_ptr failure = work(0);
        lock.lock();
        members_.front().failure = std::move(failure);
        members_.front().is_busy = false;
    } else {
        called_.notify_all();
        await_threads(lock);
    }
    Outcome outcome{.given_up = busy_ones(), .interruption = std::exchange(interruption_, {})};
    for (const std::uint32_t local : outcome.given_up) {
        members_[local].is_stuck = true;
        members_[local].is_busy = false;
    }
    return outcome;
}

void ReplicaThreads::await_threads(std::unique_lock<std::mutex>& lock) {
    const auto any = [&](auto is) { return std::ranges::any_of(members_, is); };
    const auto is_over = [&] { return !any(&Member::is_busy); };
    const auto some_failed = [&] {
        return any([](const Member& member) { return !member.is_busy && member.failure != nullptr; });
    };
    const auto is_interrupted = [&] { return !interruption_.empty(); };
    const auto some_returned = [&] {
        return is_interrupted() || any([](const Member& member) { return !member.is_busy && !member.is_stuck; });
    };
    if (timeout_ <= 0.0) {
        returned_.wait(lock, is_over);
        return;
    }
    returned_.wait(lock, some_returned);
    returned_.wait_for(lock, std::chrono::duration<double>(timeout_),
                       [&] { return is_over() || some_failed() || is_interrupted(); });
    if (!is_over() && (some_failed() || is_interrupted())) {
        returned_.wait_for(lock, kGrace, is_over);
    }
}

std::vector<std::uint32_t> ReplicaThreads::busy_ones() const {
    std::vector<std::uint32_t> locals;
    for (std::uint32_t local = 0; local < size(); ++local) {
        if (members_[local].is_busy) {
            locals.push_back(local);
        }
    }
    return locals;
}

void ReplicaThreads::interrupt(const std::function<std::string(const Working&)>& reason) {
    const std::lock_guard lock(mutex_);
    const Working working{.replicas = busy_ones(), .since = began_, .timeout = timeout_};
    if (timeout_ > 0.0 && !working.replicas.empty() && interruption_.empty()) {
        interruption_ = reason(working);
        if (!interruption_.empty()) {
            returned_.notify_all();
        }
    }
}

std::exception_ptr ReplicaThreads::take_failure(std::uint32_t local) {
    return std::exchange(members_[local].failure, nullptr);
}

}  // namespace sluice::run
