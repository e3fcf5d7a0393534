#include "run/network/captured_graph.hpp"

#include <fmt/format.h>

#include "base/log.hpp"

namespace sluice::run {

void CapturedGraph::give_up(const std::string& reason) {
    log::warn(fmt::format("steps are not captured as graphs, so each kernel is launched by itself: {}",
                          reason.empty() ? "another replica could not capture its steps" : reason));
    device_ = nullptr;
}

}  // namespace sluice::run
