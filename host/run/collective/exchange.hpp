// What a replica exchanges with the others in each step: its gradients in buckets, as backward fills them, then its
// running statistics and the sums of its losses.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "config/spec.hpp"
#include "run/collective/collectives.hpp"
#include "run/network/replica_place.hpp"
#include "run/weights/weights.hpp"
#include "sluice/kind/step.h"

namespace sluice::run {

// Whether each replica gets the sums of the gradients in its own slices alone.
bool scatters_gradients(const config::SharingSpec& sharing, const plan::Buckets& buckets, bool wants_norm);
// Whether strategy.wire = "bfloat16", which is not there yet, may be, and would change how gradients travel.
bool may_travel_narrow(const config::PipelineSpec& spec, const plan::Buckets& buckets, bool scales_loss);

class Exchange {
public:
    // What a replica lends: `report` and `word` are device memory; threads are null where the device is not the CPU.
    struct Loan {
        const Weights& weights;
        const registry::Device& device;
        sluice_step_report* report;
        double* word;     // to the other processes: becomes the greatest of all
        bool wants_norm;  // of the gradients
        const sluice_threads* threads;
        void* stream;
    };
    Exchange(const ReplicaPlace& place, const config::SharingSpec& sharing, const Loan& loan);

    // All that the replica exchanges goes through these.
    [[nodiscard]] Collectives& collectives() { return collectives_; }
    [[nodiscard]] const Collectives& collectives() const { return collectives_; }

    // Gradients travel in buckets of so many bytes from the next step on. Where updates are not shared, and no step is
    // recorded.
    void cut(std::uint64_t bucket);
    // The next gradients are those of the first bucket: of what was started in a recording that came to nothing,
    // nothing was.
    void restart() { started_ = 0; }
    // The gradients up to this element are what the replica brings to the step.
    void gradients_filled(std::uint64_t elements);
    // Brings the rest and waits; throws as Collectives::finish().
    void finish();
    // Seconds for which finish() waited last: for the others, then for what travels. Only a CPU waits there.
    [[nodiscard]] double waited() const { return waited_; }
    // The gradients that it brings next: "'gradients 3 of 7'". [any thread] where they are not cut meanwhile.
    [[nodiscard]] std::string missed() const;
    // Whether each replica gets the sums of the gradients in its own slices alone, to update those.
    [[nodiscard]] bool scatters() const { return gradients_by_ == SLUICE_COLLECTIVE_REDUCE_SCATTER; }

private:
    Collectives collectives_;
    const Weights& weights_;
    sluice_step_report* report_;
    double* word_;                // null: there is one process
    std::uint32_t gradients_by_;  // collective
    sluice_dtype gradient_wire_;
    plan::Buckets buckets_;
    std::vector<std::string> gradient_names_;  // of buckets
    std::atomic<std::size_t> started_ = 0;     // of them, in this step
    double waited_ = 0.0;
};

}  // namespace sluice::run
