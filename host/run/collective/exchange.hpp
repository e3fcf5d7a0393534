// The exchange of each step: gradients in buckets while backward fills them, then running statistics and loss sums.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "config/spec.hpp"
#include "run/collective/collectives.hpp"
#include "run/collective/vote.hpp"
#include "run/network/replica_place.hpp"
#include "run/weights/weights.hpp"
#include "sluice/kind/step.h"

namespace sluice::run {

// True if gradients are reduce-scattered: each replica gets only the sums of its own slices.
bool scatters_gradients(const config::SharingSpec& sharing, const plan::Buckets& buckets, bool wants_norm);
// True if strategy.wire = "bfloat16" is not set, is allowed, and would change how gradients travel.
bool could_send_bfloat16(const config::PipelineSpec& spec, const plan::Buckets& buckets, bool scales_loss);

class Exchange {
public:
    // Borrowed from the replica. `report` and `status` are in device memory; `threads` is null unless the device is the
    // CPU.
    struct Dependencies {
        const Weights& weights;
        std::shared_ptr<const registry::Device> device;
        sluice_step_report* report;
        double* status;        // signal to other processes; all-reduced to the maximum
        bool wants_norm;       // the step needs the gradient norm
        bool skips_gradients;  // they are not exchanged
        const sluice_threads* threads;
        void* stream;
    };
    Exchange(const ReplicaPlace& place, const config::SharingSpec& sharing, const Dependencies& dependencies);

    // Every exchange of the replica goes through this object.
    [[nodiscard]] Collectives& collectives() { return collectives_; }
    [[nodiscard]] const Collectives& collectives() const { return collectives_; }
    [[nodiscard]] const Vote& vote() const { return vote_; }

    // Sets the bucket size in bytes from the next step on. Not allowed if the update is sharded or steps are captured
    // as graphs.
    void set_bucket_size(std::uint64_t bucket);
    // Makes the first bucket the next one. Collectives that were started inside a failed graph capture do not count.
    void restart() { started_ = 0; }
    // Starts the buckets that end at or before this element; backward no longer writes their gradients.
    void gradients_filled(std::uint64_t elements);
    // Starts the remaining buckets, running statistics and losses, then waits. Throws as Collectives::finish().
    void finish();
    // Seconds the last finish() blocked: waiting for other replicas plus the transfer itself. Next to 0 on a GPU,
    // where finish() does not wait.
    [[nodiscard]] double waited() const { return waited_; }
    // Returns the next collective that this replica will start: "'gradients 3 of 7'". [any thread], but not during
    // set_bucket_size().
    [[nodiscard]] std::string next_collective() const;
    // True if gradients are reduce-scattered and each replica updates only its own slices.
    [[nodiscard]] bool scatters() const { return gradients_by_ == SLUICE_COLLECTIVE_REDUCE_SCATTER; }

private:
    Collectives collectives_;
    Vote vote_;
    const Weights& weights_;
    sluice_step_report* report_;
    double* status_;              // null: there is one process
    std::uint32_t gradients_by_;  // SLUICE_COLLECTIVE_SUM or _REDUCE_SCATTER
    sluice_dtype gradient_wire_;
    plan::Buckets buckets_;
    std::vector<std::string> gradient_names_;  // one per bucket
    bool skips_gradients_;
    std::atomic<std::size_t> started_ = 0;  // buckets of this step
    double waited_ = 0.0;
};

}  // namespace sluice::run
