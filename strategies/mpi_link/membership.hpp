// What strategies of several processes share: the job of MPI that this process is part of, or that it is alone, and
// what the host agrees on with itself in the others.
#pragma once

#include <optional>

#include "mpi_link/gathering.hpp"
#include "mpi_link/link.hpp"
#include "sluice/kind/strategy.h"
#include "sluice/sdk/host.hpp"

namespace sluice::mpi {

class Membership {
public:
    // Joins the job where a launcher has started this process, waiting so long for the others; says that it is alone
    // otherwise. `broken`: as the link's, also called by abort() where there is none, and perhaps before this has
    // returned. Throws as the link, and where srun has started others that it cannot find.
    Membership(const sdk::Host& host, double seconds, Link::Broken broken);

    // Null where it is alone.
    [[nodiscard]] Link* link() { return link_ ? &*link_ : nullptr; }
    [[nodiscard]] std::uint32_t process() const { return link_ ? link_->number() : 0; }
    [[nodiscard]] std::uint32_t processes() const { return link_ ? link_->count() : 1; }
    // Where each process has so many replicas.
    [[nodiscard]] sluice_topology topology(std::uint32_t replicas) const;

    // As in kind/processes.h. [serial]
    void gather(std::span<const std::byte> own, std::span<std::byte> all, std::string_view name, double seconds) {
        gather(for_host_, own, all, name, seconds);
    }
    // The same by a gathering of the caller's.
    void gather(Gathering& gathering, std::span<const std::byte> own, std::span<std::byte> all, std::string_view name,
                double seconds);
    // Ends all waits, here and in the other processes. [any thread]
    void abort(std::string_view reason) noexcept;

private:
    void fail(const std::string& reason);

    Link::Broken broken_;
    Gathering for_host_{Lane::host};
    std::optional<Link> link_;
};

}  // namespace sluice::mpi
