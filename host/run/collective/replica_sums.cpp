#include "run/collective/replica_sums.hpp"

#include <cstdio>

#include "base/error.hpp"

namespace sluice::run {

// An exception must not pass through the plugin, which need not be C++.
sluice_status ReplicaSums::sum(const sluice_replicas* replicas, double* values, std::uint64_t count, sluice_text name,
                               sluice_error* error) noexcept {
    const ReplicaSums& self = *static_cast<const ReplicaSums*>(replicas->impl);
    if (self.collectives_ == nullptr || self.share_ == Share::alone) {
        return SLUICE_OK;
    }
    try {
        if (self.share_ == Share::nothing) {
            self.device_->zero(values, count * sizeof(double), self.stream_);
        }
        self.collectives_->sum(values, count, {name.ptr, name.len});
        return SLUICE_OK;
    } catch (const Error& lost) {
        (void)std::snprintf(error->message, sizeof(error->message), "%s", lost.what());
        return lost.exit() == Exit::replica_lost ? SLUICE_REPLICA_LOST : SLUICE_FAILED;
    } catch (...) {
        (void)std::snprintf(error->message, sizeof(error->message), "the sum over all replicas failed");
        return SLUICE_FAILED;
    }
}

}  // namespace sluice::run
