// The replicas of this process. Where there are several, each lives and computes on a thread of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "run/replica/replica.hpp"

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
    // The one whose loss was not finite in the step finished last, or else the first.
    [[nodiscard]] Replica& overflowed() const;

    // Calls `work` with every replica and its number in this process, on its thread, and returns when all have
    // returned. Where one throws, the others are told to wait for it no longer, and its error is thrown. One that has
    // not returned `patience` seconds after the first (0: however long it takes), or soon after another has failed, is
    // stuck: Error(Exit::worker_lost), and from then on the others go on without it. So it is, where there are other
    // processes, if it has waited for nobody else for so long; a process whose only replica that is can but tell the
    // others. `is_step`: a part of a training step, for which the others wait with their gradients.
    void each(const std::function<void(Replica&, std::uint32_t)>& work, double patience = 0.0,
              bool is_step = false) const;
    // Whether one is: then the process can only be left at once.
    [[nodiscard]] bool is_stuck() const;

private:
    struct State;
    explicit ReplicaGroup(std::shared_ptr<State> state);

    std::shared_ptr<State> state_;
};

}  // namespace sluice::run
