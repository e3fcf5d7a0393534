// Shared by all optimizers of this plugin: leaves a skipped step alone, and splits the range over the threads.
#pragma once

#include <cstdint>

#include "sluice/sdk/clones.hpp"
#include "sluice/sdk/run.hpp"

namespace sluice::optimizers {

// Least elements of a piece: 64 KiB of each range, enough to pay for waking a thread.
inline constexpr std::int64_t kGrain = 16384;

// Calls body(begin, end) over pieces of [0, launch.count), unless the step is skipped. Updates are element-wise, so the
// split does not change the result.
template <class Body>
void update_pieces(const sluice_optimizer_launch& launch, Body&& body) {
    if (launch.scalars->skip != 0) {
        return;
    }
    sdk::parallel_for(launch.threads, static_cast<std::int64_t>(launch.count), kGrain,
                      [&](std::int64_t begin, std::int64_t end, std::uint32_t) { body(begin, end); });
}

}  // namespace sluice::optimizers
