// The strategy `example`: replicas as threads of one process. The last that comes with its range does the work for all.
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

using Members = std::span<const sluice_collective>;  // of one collective, by replica

// The order of the sum is a part of the contract: that of a tree, whatever comes first.
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
        for (const sluice_collective& member : members) {  // of slices, too: what is not asked for is undefined
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

    // Puts the range beside those of the others, and does the work where it is the last.
    void start(const sluice_collective& own) override {
        if (!sdk::same(own.wire, own.dtype)) {
            throw sdk::Failure(SLUICE_UNSUPPORTED, "ranges travel as they are");
        }
        if (own.kind >= SLUICE_COLLECTIVE_REDUCE_SCATTER && own.count % started_.size() != 0) {
            throw sdk::Failure(SLUICE_INVALID, std::to_string(own.count) + " elements in " +
                                                   std::to_string(started_.size()) + " slices");
        }
        const std::lock_guard lock(mutex_);
        throw_if_aborted();
        const std::size_t place = started_[own.replica] - done_;
        if (place == rounds_.size()) {
            rounds_.emplace_back(started_.size());  // none has come: struct_size is 0
        }
        for (const sluice_collective& other : rounds_[place]) {
            if (other.struct_size != 0 && !same(own, other)) {
                give_up("replica " + std::to_string(own.replica) + " is out of step: it comes with " + name_of(own) +
                        ", and replica " + std::to_string(other.replica) + " with " + name_of(other));
            }
        }
        rounds_[place][own.replica] = own;
        ++started_[own.replica];
        if (std::ranges::all_of(rounds_.front(), [](const auto& member) { return member.struct_size != 0; })) {
            own.dtype.bits == 64 ? exchange<double>(rounds_.front()) : exchange<float>(rounds_.front());
            rounds_.pop_front();
            ++done_;
            changed_.notify_all();
        }
    }

    void finish(std::uint32_t replica, double seconds) override {
        std::unique_lock lock(mutex_);
        const auto is_over = [&] { return done_ >= started_[replica] || !reason_.empty(); };
        if (seconds <= 0.0) {
            changed_.wait(lock, is_over);
        } else if (!changed_.wait_for(lock, std::chrono::duration<double>(seconds), is_over)) {
            const auto is_missing = [](const sluice_collective& member) { return member.struct_size == 0; };
            const auto& round = rounds_.front();
            give_up("replica " + std::to_string(std::ranges::find_if(round, is_missing) - round.begin()) +
                    " did not come to " + name_of(*std::ranges::find_if_not(round, is_missing)) + " within " +
                    std::to_string(seconds) + " s");
        }
        throw_if_aborted();
    }

    void abort(std::string_view reason) noexcept override {
        const std::lock_guard lock(mutex_);
        if (reason_.empty()) {
            reason_ = reason.empty() ? "it was ended" : std::string(reason);
        }
        changed_.notify_all();
    }

private:
    static std::string name_of(const sluice_collective& one) { return "'" + std::string(sdk::view(one.name)) + "'"; }
    static bool same(const sluice_collective& a, const sluice_collective& b) {
        return a.kind == b.kind && a.count == b.count && sdk::same(a.dtype, b.dtype) &&
               sdk::view(a.name) == sdk::view(b.name);
    }

    // Under the mutex, as all that follows.
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
    std::vector<std::uint64_t> started_;                 // collectives, by replica
    std::uint64_t done_ = 0;                             // collectives
    std::deque<std::vector<sluice_collective>> rounds_;  // those that somebody has started and not all have
    std::string reason_;                                 // why it was aborted; empty: it was not
};

constexpr sluice_component kComponents[] = {sdk::component<ExampleStrategy>("com.acme.strategy.example")};

}  // namespace

SLUICE_DEFINE_PLUGIN(kComponents)
