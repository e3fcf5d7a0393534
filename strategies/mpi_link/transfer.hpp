// A transfer between the processes of an MPI job.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace sluice::mpi {

// The purpose of a transfer. Each lane numbers its transfers separately.
enum class Lane : std::uint32_t { scatter = 0, gather = 1, host = 2, shutdown = 3 };
inline constexpr std::uint32_t kLanes = 4;

// Every process sends a block to each of the others and gets one from each.
struct Transfer {
    Lane lane = Lane::host;
    std::uint64_t number = 0;
    std::string name;                             // the same in all processes for this number
    std::vector<std::span<const std::byte>> out;  // by process; the own entry is not used
    std::vector<std::span<std::byte>> in;         // by process; their lengths are those that are expected
    std::function<void()> done;                   // called on the link's thread; may begin further transfers
};

}  // namespace sluice::mpi
