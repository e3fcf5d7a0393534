// An all-gather of bytes over all processes; the caller waits for it.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

#include "mpi_link/link.hpp"

namespace sluice::mpi {

class Gathering {
public:
    // No other transfers may use that lane.
    explicit Gathering(Lane lane) : lane_(lane) {}

    // See kind/processes.h. The link outlives the call. Throws sdk::Failure(SLUICE_REPLICA_LOST). [serial]
    void gather(Link& link, std::span<const std::byte> own, std::span<std::byte> all, std::string_view name,
                double seconds);
    // Call it if the link breaks: ends this wait and all later ones. [any thread]
    void fail(const std::string& reason);

private:
    const Lane lane_;
    std::uint64_t gathers_ = 0;  // so far
    std::mutex mutex_;           // guards the members below, and whether the blocks have arrived
    std::condition_variable changed_;
    std::string failure_;
};

}  // namespace sluice::mpi
