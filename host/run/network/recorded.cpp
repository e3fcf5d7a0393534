#include "run/network/recorded.hpp"

#include <fmt/format.h>

#include "base/log.hpp"

namespace sluice::run {

void Recorded::give_up(const std::string& reason) {
    log::warn(fmt::format("steps are not recorded, and so start each kernel by itself: {}",
                          reason.empty() ? "another replica could not record its own" : reason));
    device_ = nullptr;
}

}  // namespace sluice::run
