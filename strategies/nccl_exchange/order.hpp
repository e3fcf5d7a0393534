// Compares the order in which the replicas of a process start collectives, to find one that is out of step.
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
    // A replica that lags by more collectives than this is not compared with the others.
    static constexpr std::uint64_t kKept = 16384;

    // `first_replica`: the global rank of this process's first replica.
    Order(std::uint32_t first_replica, std::uint32_t replicas)
        : first_replica_(first_replica), started_(replicas, 0), kept_(kKept) {}

    // Replaces the collective's name by a copy that stays valid. Returns the number of the name: from 1, the same for
    // all replicas.
    std::uint32_t name(sluice_collective& collective);
    // in_step::text_of() of the collective whose name got this number.
    [[nodiscard]] const std::string& text_of(std::uint32_t number) const { return texts_[number - 1]; }
    // Notes the next collective that its replica starts. Returns why it is out of step with another; empty: it is not.
    [[nodiscard]] std::string add(sluice_collective collective);

private:
    std::uint32_t first_replica_;
    std::map<std::string, std::uint32_t, std::less<>> numbers_;  // of all names so far
    std::vector<std::string> texts_;
    std::vector<std::uint64_t> started_;   // number of collectives started, by replica
    std::uint64_t most_ = 0;               // the largest of started_
    std::vector<sluice_collective> kept_;  // the last kKept, as the first replica started them; a ring
};

}  // namespace sluice::nccl
