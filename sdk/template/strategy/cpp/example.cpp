// The strategy `example`: replicas are threads of one process. Once all have started a collective, one of the waiting
// threads computes it for all.
#include <algorithm>
#include <bit>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <vector>

#include "sluice/sdk/plugin.hpp"

namespace {

namespace sdk = sluice::sdk;

// A replica's part of a collective. sluice_collective may grow, so only the used fields are copied.
struct Member {
    bool is_there = false;
    std::uint32_t kind = 0;
    void* data = nullptr;
    std::uint64_t count = 0;
    sluice_dtype dtype{};
    std::string_view name;
};
using Members = std::span<const Member>;  // of one collective, by replica

// The contract fixes the order of the sum: a tree over the ranks, whichever replica arrives first.
template <class T>
T fold(Members members, std::uint64_t i) {
    if (members.size() == 1) {
        return static_cast<const T*>(members[0].data)[i];
    }
    const std::size_t left = std::bit_floor(members.size() - 1);
    const T a = fold<T>(members.first(left), i);
    const T b = fold<T>(members.subspan(left), i);
    return members[0].kind == SLUICE_COLLECTIVE_MAX ? std::max(a, b) : a + b;
}

template <class T>
void exchange(Members members) {
    const std::uint64_t slice = members[0].count / members.size();
    for (std::uint64_t i = 0; i < members[0].count; ++i) {
        const bool gathers = members[0].kind == SLUICE_COLLECTIVE_ALL_GATHER;
        T value = gathers ? static_cast<const T*>(members[i / slice].data)[i] : fold<T>(members, i);
        if (members[0].kind == SLUICE_COLLECTIVE_MEAN) {
            value *= T{1} / static_cast<T>(members.size());
        }
        for (const Member& member : members) {  // also of slices: those of others are undefined anyway
            static_cast<T*>(member.data)[i] = value;
        }
    }
}

class ExampleStrategy : public sdk::Strategy {
public:
    ExampleStrategy(sdk::Host, const sdk::Options& options, std::uint32_t /*device_count*/)
        : started_(static_cast<std::size_t>(options.integer("replicas"))) {}

    [[nodiscard]] sluice_topology topology() const override {
        const auto replicas = static_cast<std::uint32_t>(started_.size());
        return {.struct_size = 0,
                .local_replicas = replicas,
                .first_replica = 0,
                .world_replicas = replicas,
                .reserved = 0};
    }

    // Adds this replica's range to those of the others.
    void start(const sluice_collective& own) override {
        if (!sdk::same(own.wire, own.dtype)) {
            throw sdk::Failure(SLUICE_UNSUPPORTED, "ranges are sent only in their own type");
        }
        if (own.kind >= SLUICE_COLLECTIVE_REDUCE_SCATTER && own.count % started_.size() != 0) {
            throw sdk::Failure(SLUICE_INVALID, std::to_string(own.count) + " elements in " +
                                                   std::to_string(started_.size()) + " slices");
        }
        const Member member{true, own.kind, own.data, own.count, own.dtype, sdk::view(own.name)};
        const std::lock_guard lock(mutex_);
        throw_if_aborted();
        const std::size_t place = started_[own.replica] - taken_;
        if (place == rounds_.size()) {
            rounds_.emplace_back(started_.size());
        }
        std::vector<Member>& round = rounds_[place];
        for (std::size_t i = 0; i < round.size(); ++i) {
            if (round[i].is_there && !same(member, round[i])) {
                give_up("replica " + std::to_string(own.replica) + " is out of step: it comes with " + name_of(member) +
                        ", and replica " + std::to_string(i) + " with " + name_of(round[i]));
            }
        }
        round[own.replica] = member;
        ++started_[own.replica];
        changed_.notify_all();
    }

    void finish(std::uint32_t replica, double seconds) override {
        const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
        std::unique_lock lock(mutex_);
        bool is_late = false;
        while (done_ < started_[replica]) {
            const bool is_worked_on = done_ < taken_;  // then no replica returns: ranges are being written
            if (!is_worked_on && !reason_.empty()) {
                break;
            } else if (!is_worked_on && std::ranges::all_of(rounds_.front(), &Member::is_there)) {
                exchange_first(lock);
            } else if (!is_worked_on && is_late) {
                name_missing(seconds);
            } else if (is_worked_on || seconds <= 0.0) {
                changed_.wait(lock);
            } else {
                is_late = changed_.wait_until(lock, end) == std::cv_status::timeout;
            }
        }
        throw_if_aborted();
    }

    void abort(std::string_view reason) noexcept override {
        const std::lock_guard lock(mutex_);
        if (reason_.empty()) {
            reason_ = reason.empty() ? "it was aborted" : std::string(reason);
        }
        changed_.notify_all();
    }

private:
    static std::string name_of(const Member& one) { return "'" + std::string(one.name) + "'"; }
    static bool same(const Member& a, const Member& b) {
        return a.kind == b.kind && a.count == b.count && sdk::same(a.dtype, b.dtype) && a.name == b.name;
    }

    // Like the functions below, called with the mutex locked. It unlocks it while it computes, so that no start()
    // waits.
    void exchange_first(std::unique_lock<std::mutex>& lock) {
        const std::vector<Member> round = std::move(rounds_.front());
        rounds_.pop_front();
        ++taken_;
        lock.unlock();
        round.front().dtype.bits == 64 ? exchange<double>(round) : exchange<float>(round);
        lock.lock();
        ++done_;
        changed_.notify_all();
    }
    [[noreturn]] void name_missing(double seconds) {
        const auto& round = rounds_.front();
        give_up("replica " + std::to_string(std::ranges::find(round, false, &Member::is_there) - round.begin()) +
                " did not join " + name_of(*std::ranges::find(round, true, &Member::is_there)) + " within " +
                std::to_string(seconds) + " s");
    }
    void throw_if_aborted() const {
        if (!reason_.empty()) {
            throw sdk::Failure(SLUICE_REPLICA_LOST, reason_);
        }
    }
    [[noreturn]] void give_up(const std::string& reason) {
        reason_ = reason;
        changed_.notify_all();
        throw sdk::Failure(SLUICE_REPLICA_LOST, reason_);
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::uint64_t> started_;      // collectives, by replica
    std::uint64_t taken_ = 0;                 // collectives that a replica is computing or has computed
    std::uint64_t done_ = 0;                  // of these, those that are finished
    std::deque<std::vector<Member>> rounds_;  // collectives that some replica has started and none has taken
    std::string reason_;                      // why it was aborted; empty: it was not
};

constexpr sluice_component kComponents[] = {sdk::component<ExampleStrategy>("com.acme.strategy.example")};

}  // namespace

SLUICE_DEFINE_PLUGIN(kComponents)
