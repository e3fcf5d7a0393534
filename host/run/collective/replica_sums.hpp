// Sums that kernel launches make over all replicas (sluice_replicas): the statistics of synchronized layers.
#pragma once

#include "registry/objects/device.hpp"
#include "run/collective/collectives.hpp"
#include "sluice/kind/kernel.h"

namespace sluice::run {

class ReplicaSums {
public:
    ReplicaSums() = default;
    ReplicaSums(const ReplicaSums&) = delete;
    ReplicaSums& operator=(const ReplicaSums&) = delete;

    // How this replica takes part in the sums of later launches.
    enum class Share {
        alone,   // the other replicas do not launch: a sum is this replica's own value
        equal,   // all replicas launch
        nothing  // all replicas launch, but this one has no samples and contributes zeros
    };

    // The table for launches. Before join(), a sum is this replica's own value.
    [[nodiscard]] const sluice_replicas* table() const { return &table_; }
    // `collectives` and `device` must outlive the launches.
    void join(Collectives& collectives, const registry::Device& device, void* stream) {
        collectives_ = &collectives;
        device_ = &device;
        stream_ = stream;
    }
    void set(Share share) { share_ = share; }

private:
    static sluice_status sum(const sluice_replicas* replicas, double* values, std::uint64_t count, sluice_text name,
                             sluice_error* error) noexcept;

    sluice_replicas table_{.struct_size = sizeof(sluice_replicas), .impl = this, .sum = sum};
    Collectives* collectives_ = nullptr;
    const registry::Device* device_ = nullptr;
    void* stream_ = nullptr;
    Share share_ = Share::alone;
};

}  // namespace sluice::run
