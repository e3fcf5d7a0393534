// What launches of a replica sum with those of the others (sluice_replicas): the statistics of synchronized layers.
#pragma once

#include "registry/objects/objects.hpp"
#include "run/collective/collectives.hpp"
#include "sluice/kind/kernel.h"

namespace sluice::run {

class JointSums {
public:
    JointSums() = default;
    JointSums(const JointSums&) = delete;
    JointSums& operator=(const JointSums&) = delete;

    // What the launches from now on are.
    enum class Share {
        alone,   // the other replicas do not compute them: a sum is that of this one
        equal,   // all replicas compute them
        nothing  // so they do, and this replica, having no samples, brings zeros
    };

    // For launches; where nobody was joined, a sum is that of this replica.
    [[nodiscard]] const sluice_replicas* table() const { return &table_; }
    // Outlives what launches do.
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
