// The replicas of this process. If there are several, each computes on its own thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "run/replica/replica.hpp"

namespace sluice::run {

class ReplicaGroup {
public:
    // Makes the replica of local rank `local`, on its thread.
    using Make = std::function<std::unique_ptr<Replica>(std::uint32_t local)>;

    // `strategy` must outlive this object.
    ReplicaGroup(const registry::Strategy& strategy, const Make& make);
    // Makes a group of one replica without others.
    explicit ReplicaGroup(std::unique_ptr<Replica> replica);
    // Waits for the replicas, but not for a stuck one.
    ~ReplicaGroup();

    // Returns the first replica that is not stuck. Its weights are saved, since all have the same after each step. Not
    // allowed while each() runs.
    [[nodiscard]] Replica& first() const;
    [[nodiscard]] std::uint32_t size() const;
    // True if no other process has replicas.
    [[nodiscard]] bool is_whole_world() const;
    // Returns the replica whose loss was not finite in the last finished training step, or else the first replica.
    [[nodiscard]] Replica& overflowed() const;

    // Calls `work` with every replica and its local rank, on its thread, and returns when all calls have returned. If a
    // call throws, the waits of the other replicas are cancelled and its error is thrown.
    // A replica is stuck if it has not returned `timeout` seconds after the first one (0: no limit), or soon after
    // another failed. Then each() throws Error(Exit::replica_lost), and later calls run without that replica.
    // With other processes, a replica is also stuck if it runs for `timeout` seconds without waiting for others. If it
    // is the only replica of its process, the process can only report that to the others.
    // `is_step`: the work belongs to a training step, so the others wait for its gradients.
    void each(const std::function<void(Replica&, std::uint32_t)>& work, double timeout = 0.0,
              bool is_step = false) const;
    // True if a replica is stuck. The process can then only exit at once.
    [[nodiscard]] bool is_stuck() const;

private:
    struct State;
    explicit ReplicaGroup(std::shared_ptr<State> state);

    std::shared_ptr<State> state_;
};

}  // namespace sluice::run
