// The stages of a training step, in its order: events of steps have a scalar STAGE_seconds for each.
#pragma once

#include <array>
#include <string_view>

namespace sluice::history {

inline constexpr std::array<std::string_view, 12> kStages{"read",     "preprocess", "upload",   "forward",
                                                          "backward", "optimizer",  "exchange", "download",
                                                          "output",   "storage",    "prepare",  "other"};

}  // namespace sluice::history
