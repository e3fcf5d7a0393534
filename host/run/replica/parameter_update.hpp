// The optimizer step of one replica. It may be sharded: each replica then updates its slices and keeps their states.
#pragma once

#include <optional>

#include "profile/operation.hpp"
#include "registry/objects/device.hpp"
#include "registry/objects/optimizer.hpp"
#include "run/collective/bucket_gather.hpp"
#include "run/collective/exchange.hpp"
#include "run/network/step_state.hpp"
#include "run/network/stream_spans.hpp"
#include "run/weights/full_optimizer_states.hpp"
#include "sluice/host.h"

namespace sluice::run {

class ParameterUpdate {
public:
    // Borrowed from the replica. `threads` is null unless the device is the CPU; `exchange` is null if there are no
    // other replicas.
    struct Dependencies {
        const registry::Device& device;
        const registry::Optimizer& optimizer;
        const Weights& weights;
        StepState& state;
        StreamSpans& spans;
        Exchange* exchange;
        const sluice_threads* threads;
        void* stream;
    };
    explicit ParameterUpdate(const Dependencies& dependencies);

    // True if the update is sharded.
    [[nodiscard]] bool is_shared() const { return dependencies_.weights.buckets().are_shared(); }
    // The functions below enqueue work on the stream. If the update is sharded, they throw as Collectives::finish().

    // Call it before the update is enqueued.
    void begin() const;
    // Call it each time the update is enqueued. It discards collectives that were started inside a failed graph
    // capture.
    void restart();
    // Decides about the update, with the norm of the gradients if it is wanted.
    void decide() const;
    // Updates the parameters. If the update is sharded, all-gathers them afterwards.
    void make();
    // All-gathers gradients that were reduce-scattered, so that each replica has all of them.
    void gather_gradients();
    // All-gathers sharded optimizer states; all replicas call it at the same time. `to`, which may be null, receives
    // all states. Not allowed while a step is on the stream. Waits; `timeout` is in seconds.
    void gather_states(FullOptimizerStates* to, double timeout);

private:
    [[nodiscard]] bool scatters() const { return is_shared() && dependencies_.exchange->scatters(); }
    void zero_others_gradients() const;
    void zero(const plan::Range& gradients) const;

    Dependencies dependencies_;
    profile::Operations operation_;       // the update of an own part, for windows
    std::optional<BucketGather> gather_;  // if the update is sharded
};

}  // namespace sluice::run
