// The replicas of this process. Where there are several, each lives and computes on a thread of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "run/replica.hpp"

namespace sluice::run {

class ReplicaGroup {
public:
    // Makes replica `local` of this process, on its thread.
    using Make = std::function<std::unique_ptr<Replica>(std::uint32_t local)>;

    // The strategy outlives it.
    ReplicaGroup(const registry::Strategy& strategy, const Make& make);
    // Of one that is alone.
    explicit ReplicaGroup(std::unique_ptr<Replica> replica);
    // Waits for the replicas, but not for one that is stuck.
    ~ReplicaGroup();

    // The one whose weights are saved, those of all being the same after each step: the first that is not stuck. Not
    // while each() runs.
    [[nodiscard]] Replica& first() const;
    [[nodiscard]] std::uint32_t size() const;

    // Calls `work` with every replica and its number in this process, on its thread, and returns when all have
    // returned. Where one throws, the others are told to wait for it no longer, and its error is thrown. One that
    // returns neither soon after that, nor `patience` seconds after the first (0: at any time) is stuck:
    // Error(Exit::worker_lost), and from then on the others go on without it.
    void each(const std::function<void(Replica&, std::uint32_t)>& work, double patience = 0.0) const;
    // Whether one is: then the process can only be left at once.
    [[nodiscard]] bool is_stuck() const;

private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace sluice::run
