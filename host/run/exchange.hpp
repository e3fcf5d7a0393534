// What a replica exchanges with the others in each step: its gradients in buckets, as backward fills them, then its
// running statistics and the sums of its losses.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/spec.hpp"
#include "run/replica_place.hpp"
#include "run/weights.hpp"
#include "sluice/kind/step.h"

namespace sluice::run {

class Exchange {
public:
    // What a replica lends: `report` is device memory; threads are null where the device is not the CPU.
    struct Loan {
        const Weights& weights;
        sluice_step_report* report;
        const sluice_threads* threads;
        void* stream;
    };
    Exchange(const ReplicaPlace& place, const config::SharingSpec& sharing, const Loan& loan);

    // Others are waited for so many seconds at its end; 0: at any time. Throws as expect_whole().
    void begin_part(double patience, bool asks_to_stop);
    // Throws Error(Exit::worker_lost) where somebody was lost after finish(): not on a CPU.
    void expect_whole() const;
    // The gradients up to this element are what the replica brings to the step.
    void gradients_filled(std::uint64_t elements);
    // Brings the rest and waits. Throws Error(Exit::worker_lost).
    void finish();
    // Whether a process has asked to stop behind the step that was finished last.
    [[nodiscard]] bool stops() const { return place_.is_one_of_several_processes && stop_ > 0.0; }

private:
    struct Bucket {
        std::uint64_t begin;
        std::uint64_t end;
        std::string name;
    };

    // What travels as another type than it has is said by `wire`.
    void start(std::uint32_t kind, void* data, std::uint64_t count, sluice_dtype dtype, const std::string& name) {
        start(kind, data, count, dtype, dtype, name);
    }
    void start(std::uint32_t kind, void* data, std::uint64_t count, sluice_dtype dtype, sluice_dtype wire,
               const std::string& name);

    ReplicaPlace place_;
    sluice_dtype gradient_wire_;
    double patience_ = 0.0;
    double stop_ = 0.0;
    Loan loan_;
    std::vector<Bucket> buckets_;
    std::size_t started_ = 0;  // of them, in this step
};

}  // namespace sluice::run
