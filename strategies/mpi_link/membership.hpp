// Shared by strategies of several processes: the MPI job of this process, if it has one, and the host's own exchange
// with the other processes.
#pragma once

#include <optional>

#include "mpi_link/gathering.hpp"
#include "mpi_link/link.hpp"
#include "sluice/kind/strategy.h"
#include "sluice/sdk/host.hpp"

namespace sluice::mpi {

class Membership {
public:
    // Joins the MPI job if a launcher started this process, and waits up to `seconds` for the others. Otherwise logs
    // that the process runs alone. `broken` is called like the link's, also by abort() without a link, and perhaps
    // before the constructor returns. Throws like Link, and if srun started processes that cannot find each other.
    Membership(const sdk::Host& host, double seconds, Link::Broken broken);

    // Null if this process runs alone.
    [[nodiscard]] Link* link() { return link_ ? &*link_ : nullptr; }
    [[nodiscard]] std::uint32_t rank() const { return link_ ? link_->rank() : 0; }
    [[nodiscard]] std::uint32_t processes() const { return link_ ? link_->count() : 1; }
    // The topology if each process has `replicas` replicas.
    [[nodiscard]] sluice_topology topology(std::uint32_t replicas) const;

    // See kind/processes.h. [serial]
    void gather(std::span<const std::byte> own, std::span<std::byte> all, std::string_view name, double seconds) {
        gather(for_host_, own, all, name, seconds);
    }
    // The same with a gathering of the caller's.
    void gather(Gathering& gathering, std::span<const std::byte> own, std::span<std::byte> all, std::string_view name,
                double seconds);
    // Ends all waits, here and in the other processes. [any thread]
    void abort(std::string_view reason) noexcept;

private:
    void fail(const in_step::AbortReason& reason);

    Link::Broken broken_;
    Gathering for_host_{Lane::host};
    std::optional<Link> link_;
};

}  // namespace sluice::mpi
