#include "run/recorded.hpp"

#include <fmt/format.h>

#include "base/log.hpp"

namespace sluice::run {

void Recorded::give_up(const Error& error) {
    log::warn(fmt::format("steps are not recorded, and so start each kernel by itself: {}", error.what()));
    device_ = nullptr;
}

}  // namespace sluice::run
