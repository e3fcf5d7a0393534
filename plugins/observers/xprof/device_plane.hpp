// The plane "/device:GPU:N": steps, streams, and the waits of the device for its input.
#pragma once

#include <cstdint>

#include "profile/window.hpp"
#include "xprof/xspace.hpp"

namespace sluice::observers {

XPlane device_plane(const Window& window, std::uint32_t device);

}  // namespace sluice::observers
