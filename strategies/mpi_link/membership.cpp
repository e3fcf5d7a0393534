#include "mpi_link/membership.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "mpi_link/launcher.hpp"
#include "sluice/sdk/guard.hpp"

namespace sluice::mpi {

Membership::Membership(const sdk::Host& host, double seconds, Link::Broken broken) : broken_(std::move(broken)) {
    if (is_launched()) {
        const auto waits = [&](const std::string& text) { host.warn(text); };
        link_.emplace(seconds, waits, [this](const in_step::AbortReason& reason) { fail(reason); });
    } else if (unconnected_processes() > 1) {
        throw sdk::Failure(SLUICE_INVALID, "srun has started " + std::to_string(unconnected_processes()) +
                                               " processes that cannot find each other; use `srun --mpi=pmix`");
    } else {
        host.info(
            "this process runs alone; to start several, use `sluice launch -n 4`, `mpirun -n 4 sluice` or `srun -n 4 "
            "--mpi=pmix sluice`");
    }
}

sluice_topology Membership::topology(std::uint32_t replicas) const {
    return {.struct_size = 0,
            .local_replicas = replicas,
            .first_replica = replicas * rank(),
            .world_replicas = replicas * processes(),
            .reserved = 0};
}

void Membership::gather(Gathering& gathering, std::span<const std::byte> own, std::span<std::byte> all,
                        std::string_view name, double seconds) {
    if (link_) {
        gathering.gather(*link_, own, all, name, seconds);
    } else {
        std::ranges::copy(own, all.begin());
    }
}

void Membership::abort(std::string_view reason) noexcept {
    const in_step::AbortReason why{.text = std::string(reason)};
    link_ ? link_->abort(why) : fail(why);
}

void Membership::fail(const in_step::AbortReason& reason) {
    for_host_.fail(reason.text);
    broken_(reason);
}

}  // namespace sluice::mpi
