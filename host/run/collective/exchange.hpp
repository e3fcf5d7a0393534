// What a replica exchanges with the others in each step: its gradients in buckets, as backward fills them, then its
// running statistics and the sums of its losses.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "config/spec.hpp"
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
    // What a replica lends: `report` and `stop` are device memory; threads are null where the device is not the CPU.
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

    // Gradients travel in buckets of so many bytes from the next step on. Where updates are not shared, and no step is
    // recorded.
    void cut(std::uint64_t bucket);
    // Others are waited for so many seconds at its end; 0: at any time. Throws as expect_whole().
    void begin_part(double patience);
    // Throws Error(Exit::worker_lost) where somebody was lost after finish(): not on a CPU.
    void expect_whole() const;
    // Of what was started on the way of a recording that came to nothing, nothing was.
    void forget_started();
    // Waits for each collective, for work whose kernels are launched for the first time: a GPU's driver loads them
    // then, which may wait for what travels.
    void wait_for_each(bool waits) { waits_for_each_ = waits && loan_.threads == nullptr; }
    // The gradients up to this element are what the replica brings to the step.
    void gradients_filled(std::uint64_t elements);
    // Brings the rest and waits. Throws Error(Exit::worker_lost).
    void finish();
    // Seconds for which finish() waited last: for the others, then for what travels. Only a CPU waits there.
    [[nodiscard]] double waited() const { return waited_; }
    // When the replica came back from the last wait for others; infinity while it waits. [any thread]
    [[nodiscard]] double busy_since() const;
    // The gradients that it brings next: "'gradients 3 of 7'". [any thread] where they are not cut meanwhile.
    [[nodiscard]] std::string missed() const;
    // Whether each replica gets the sums of the gradients in its own slices alone, to update those.
    [[nodiscard]] bool scatters() const { return gradients_by_ == SLUICE_COLLECTIVE_REDUCE_SCATTER; }
    // The report's sum of squares becomes that of all replicas. Waits; throws as finish().
    void add_square_sums();
    // Each value, in device memory, becomes the sum of those of all replicas. Waits; throws as finish().
    void add_up(double* values, std::uint64_t count, std::string_view name);
    // Of a flat buffer that is laid out as the parameters: each replica has brought its slice of the next bucket, and
    // will have those of the others when finish_gathering() has returned, which throws as finish(). `what` for
    // messages.
    void gather_next(float* flat, std::string_view what);
    void finish_gathering();
    // The same of all buckets.
    void gather(float* flat, std::string_view what);
    // From now on others are waited for so many seconds.
    void wait_for(double patience) { patience_ = patience; }

private:
    [[nodiscard]] const std::vector<plan::Range>& buckets() const { return buckets_.all(); }
    [[nodiscard]] std::vector<std::string> names_of(std::string_view what) const;
    // What travels as another type than it has is said by `wire`. The name is lent until finish().
    void start(std::uint32_t kind, void* data, std::uint64_t count, sluice_dtype dtype, std::string_view name) {
        start(kind, data, count, dtype, dtype, name);
    }
    void start(std::uint32_t kind, void* data, std::uint64_t count, sluice_dtype dtype, sluice_dtype wire,
               std::string_view name);
    void await_others();

    ReplicaPlace place_;
    std::uint32_t gradients_by_;  // collective
    sluice_dtype gradient_wire_;
    double patience_ = 0.0;
    double waited_ = 0.0;
    bool waits_for_each_ = false;
    Loan loan_;
    plan::Buckets buckets_;
    std::vector<std::string> gradient_names_;  // of buckets
    std::atomic<std::size_t> started_ = 0;     // of them, in this step
    std::atomic<bool> is_waiting_ = false;
    std::atomic<double> came_back_ = 0.0;  // from the last wait, by the clock
    std::string gathering_;                // what was gathered last
    std::vector<std::string> gathering_names_;
    std::size_t gathered_ = 0;  // buckets whose gathering has begun
};

}  // namespace sluice::run
