// In which order the replicas of a process bring collectives, and which of them is out of step.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/kind/strategy.h"

namespace sluice::nccl {

class Order {
public:
    // A replica that is farther behind the others than so many collectives is not compared with them.
    static constexpr std::uint64_t kKept = 16384;

    // Replicas of a process, numbered in the world from `first_replica` on.
    Order(std::uint32_t first_replica, std::uint32_t replicas)
        : first_replica_(first_replica), brought_(replicas, 0), kept_(kKept) {}

    // The collective, with a name that is kept, has a number by it: from 1, the same in all replicas.
    std::uint32_t name(sluice_collective& collective);
    // in_step::text_of() the one that got this number.
    [[nodiscard]] const std::string& text_of(std::uint32_t number) const { return texts_[number - 1]; }
    // It is the next that its replica brings. Returns why that is out of step with another; empty where it is not.
    [[nodiscard]] std::string bring(sluice_collective collective);

private:
    std::uint32_t first_replica_;
    std::map<std::string, std::uint32_t, std::less<>> numbers_;  // of all names so far
    std::vector<std::string> texts_;
    std::vector<std::uint64_t> brought_;   // how many, by replica
    std::uint64_t most_ = 0;               // of them
    std::vector<sluice_collective> kept_;  // the last ones that were brought first, by their place in the order
};

}  // namespace sluice::nccl
