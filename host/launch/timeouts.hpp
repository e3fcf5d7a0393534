// How long the launcher and its processes wait for each other.
#pragma once

#include <chrono>

namespace sluice::launch {

inline constexpr std::chrono::milliseconds kHeartbeatInterval{500};
// A process that sends no heartbeat for this long is lost.
inline constexpr std::chrono::seconds kHeartbeatTimeout{4};
inline constexpr std::chrono::seconds kAnswerTimeout{1};     // for an answer of the launcher
inline constexpr std::chrono::seconds kExitTimeout{8};       // from the loss of a process until all others have exited
inline constexpr std::chrono::seconds kShortExitTimeout{2};  // the same for processes that have nothing left to save

}  // namespace sluice::launch
