#include "thread_collectives.hpp"

#include <algorithm>
#include <chrono>

#include "ranges/ranges.hpp"
#include "sluice/sdk/guard.hpp"

namespace sluice::mirrored {
namespace {

constexpr std::int64_t kGrain = 16384;  // elements that are worth a thread

}  // namespace

ThreadCollectives::ThreadCollectives(std::uint32_t replicas) : replicas_(replicas) {}

// Grows only if more collectives are in flight than ever before.
void ThreadCollectives::make_room(std::uint64_t number) {
    const std::uint64_t oldest = least_shared();
    if (number - oldest < rounds_.size()) {
        return;
    }
    std::vector<std::unique_ptr<Round>> larger(std::max<std::size_t>(2 * rounds_.size(), 16));
    for (std::uint64_t i = oldest; i < oldest + rounds_.size(); ++i) {
        larger[i % larger.size()] = std::move(rounds_[i % rounds_.size()]);
    }
    for (std::unique_ptr<Round>& round : larger) {
        if (round == nullptr) {
            round = std::make_unique<Round>();
            round->members.resize(replicas_.size());
        }
    }
    rounds_ = std::move(larger);
}

std::uint64_t ThreadCollectives::least_shared() const {
    return std::ranges::min(replicas_, {}, &Progress::shared).shared;
}

void ThreadCollectives::give_up(const in_step::AbortReason& reason) {
    if (abort_reason_.empty()) {
        abort_reason_ = reason;
    }
    changed_.notify_all();
    throw sdk::Failure(SLUICE_REPLICA_LOST, abort_reason_.text);
}

void ThreadCollectives::check(const Round& round, const sluice_collective& collective) {
    if (round.arrived == 0) {
        return;
    }
    const auto first =
        std::ranges::find_if(round.members, [](const sluice_collective& member) { return member.struct_size != 0; });
    if (const std::string why = in_step::why_out_of_step(*first, collective); !why.empty()) {
        give_up({.text = why});
    }
}

void ThreadCollectives::start(const sluice_collective& collective) {
    in_step::expect_slices(collective, static_cast<std::uint32_t>(replicas_.size()));
    Lock lock(mutex_);
    if (!abort_reason_.empty()) {
        give_up(abort_reason_);
    }
    Progress& own = replicas_[collective.replica];
    make_room(own.started);
    Round& round = this->round(own.started);
    check(round, collective);
    round.members[collective.replica] = collective;
    ++own.started;
    if (++round.arrived == replicas_.size()) {
        changed_.notify_all();
    }
    share_whole_ones(collective.replica, lock);
}

void ThreadCollectives::share_whole_ones(std::uint32_t replica, Lock& lock) {
    Progress& own = replicas_[replica];
    while (abort_reason_.empty() && own.shared < own.started && is_whole(own.shared)) {
        Round& round = this->round(own.shared);
        lock.unlock();
        const sluice_collective& range = round.members[replica];
        const auto share = [&](std::uint64_t number) { return range.count * number / replicas_.size(); };
        struct Work {
            const Round& round;
            std::uint64_t begin;
        } work{round, share(replica)};
        range.threads->parallel_for(
            range.threads, static_cast<std::int64_t>(share(replica + 1) - work.begin), kGrain,
            [](void* context, std::int64_t begin, std::int64_t end, std::uint32_t) noexcept {
                const Work& shared = *static_cast<const Work*>(context);
                ranges::exchange(shared.round.members, shared.begin + static_cast<std::uint64_t>(begin),
                                 shared.begin + static_cast<std::uint64_t>(end));
            },
            &work);
        lock.lock();
        const std::uint64_t before = least_shared();
        ++own.shared;
        if (least_shared() > before) {  // all replicas are done with it
            round.arrived = 0;
            for (sluice_collective& member : round.members) {
                member.struct_size = 0;
            }
            changed_.notify_all();
        }
    }
}

// The replicas for which `lacks` is true: "replica 1, replica 3".
template <class Lacks>
std::string ThreadCollectives::names(const Lacks& lacks) const {
    std::string text;
    for (std::size_t i = 0; i < replicas_.size(); ++i) {
        if (lacks(replicas_[i])) {
            text += (text.empty() ? "replica " : ", replica ") + std::to_string(i);
        }
    }
    return text;
}

// Waits until `is_done`. After `seconds` (0: no limit) the replicas for which `lacks` is true are lost.
template <class IsDone, class Lacks>
void ThreadCollectives::wait(Lock& lock, double seconds, const Round& round, const IsDone& is_done,
                             const Lacks& lacks) {
    const auto is_over = [&] { return !abort_reason_.empty() || is_done(); };
    const auto what = [&] {
        return in_step::text_of(
            *std::ranges::find_if(round.members, [](const auto& member) { return member.struct_size != 0; }));
    };
    if (seconds <= 0.0) {
        changed_.wait(lock, is_over);
    } else if (!changed_.wait_for(lock, std::chrono::duration<double>(seconds), is_over)) {
        give_up(in_step::missed(names(lacks), what(), seconds));
    }
    if (!abort_reason_.empty()) {
        throw sdk::Failure(SLUICE_REPLICA_LOST,
                           is_done() ? abort_reason_.text : in_step::waited(abort_reason_, what()));
    }
}

void ThreadCollectives::finish(std::uint32_t replica, double seconds) {
    Lock lock(mutex_);
    const Progress& own = replicas_[replica];
    if (own.started == 0) {
        return;
    }
    while (own.shared < own.started) {
        const std::uint64_t number = own.shared;
        wait(
            lock, seconds, round(number), [&] { return is_whole(number); },
            [&](const Progress& other) { return other.started <= number; });
        share_whole_ones(replica, lock);
    }
    const std::uint64_t end = own.started;
    wait(
        lock, seconds, round(end - 1), [&] { return least_shared() >= end; },
        [&](const Progress& other) { return other.shared < end; });
}

void ThreadCollectives::abort(std::string_view reason) noexcept {
    const std::lock_guard lock(mutex_);
    if (abort_reason_.empty()) {
        abort_reason_.text = reason.empty() ? "the exchange was aborted" : std::string(reason);
    }
    changed_.notify_all();
}

}  // namespace sluice::mirrored
