// Blocks of bytes that all processes give each other, while whoever needs them waits.
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
    // No other trades are made in that lane.
    explicit Gathering(Lane lane) : lane_(lane) {}

    // As in kind/processes.h. The link outlives the call. Throws sdk::Failure(SLUICE_REPLICA_LOST). [serial]
    void gather(Link& link, std::span<const std::byte> own, std::span<std::byte> all, std::string_view name,
                double seconds);
    // The link broke: ends the wait, and all to come. [any thread]
    void fail(const std::string& reason);

private:
    const Lane lane_;
    std::uint64_t gathers_ = 0;  // so far
    std::mutex mutex_;           // guards what follows, and whether the blocks are there
    std::condition_variable changed_;
    std::string failure_;
};

}  // namespace sluice::mpi
