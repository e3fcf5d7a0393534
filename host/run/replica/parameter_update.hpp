// One replica's update of the parameters, of which it may share the work and the optimizer's states with the others.
#pragma once

#include <optional>

#include "registry/objects/objects.hpp"
#include "run/collective/bucket_gather.hpp"
#include "run/collective/exchange.hpp"
#include "run/network/step_state.hpp"
#include "run/weights/whole_states.hpp"

namespace sluice::run {

class ParameterUpdate {
public:
    // What a replica lends: threads are null where the device is not the CPU, `exchange` where there are no others.
    struct Loan {
        const registry::Device& device;
        const registry::Optimizer& optimizer;
        const Weights& weights;
        StepState& state;
        Exchange* exchange;
        const sluice_threads* threads;
        void* stream;
    };
    explicit ParameterUpdate(const Loan& loan);

    // By all replicas together.
    [[nodiscard]] bool is_shared() const { return loan_.weights.buckets().are_shared(); }
    // What follows is for the stream and, where the update is shared, throws as Collectives::finish().

    // Before it is put there.
    void begin() const;
    // Each time that it is put there: of what was started in a recording that came to nothing, nothing was.
    void restart();
    // Decides about the update, by the norm of the gradients where it is wanted.
    void decide() const;
    // All replicas have the parameters of all then.
    void make();
    // Gradients that each replica has the sums of in its own slices alone become whole.
    void gather_gradients();
    // Where the update is shared: brings the own optimizer states to all replicas, which all call it at the same time;
    // `to`, which may be null, gets those of all. Where no step is on the stream; waits.
    void gather_states(WholeStates* to, double patience);

private:
    [[nodiscard]] bool scatters() const { return is_shared() && loan_.exchange->scatters(); }
    void zero_others_gradients() const;
    void zero(const plan::Range& gradients) const;

    Loan loan_;
    std::optional<BucketGather> gather_;  // if the update is shared
};

}  // namespace sluice::run
