// The clock of a GPU (sluice/kind/device_time.h).
#pragma once

#include <cstdint>

namespace sluice::cudnn {

// Writes the clock's nanoseconds to device memory when the stream reaches this point. The calling thread must have
// selected the GPU. Throws sdk::Failure.
void stamp_clock(void* stream, std::uint64_t* nanoseconds);

}  // namespace sluice::cudnn
