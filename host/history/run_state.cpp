#include "history/run_state.hpp"

#include <algorithm>
#include <array>

namespace sluice::history {
namespace {

constexpr std::array kEnds{RunState::finished, RunState::interrupted, RunState::diverged, RunState::failed};

}  // namespace

const char* name_of(RunState state) {
    switch (state) {
        case RunState::starting:
            return "starting";
        case RunState::running:
            return "running";
        case RunState::finished:
            return "finished";
        case RunState::interrupted:
            return "interrupted";
        case RunState::diverged:
            return "diverged";
        case RunState::failed:
            return "failed";
        default:
            return "killed";
    }
}

RunState state_of(const RunHistory& history, bool is_alive) {
    if (history.sittings().empty()) {
        return is_alive ? RunState::starting : RunState::failed;  // it ended before its first event
    }
    const std::string& ended = history.sittings().back().ended;
    const auto end = std::ranges::find_if(kEnds, [&](RunState state) { return ended == name_of(state); });
    if (end != kEnds.end()) {
        return *end;
    }
    return is_alive ? RunState::running : RunState::killed;
}

}  // namespace sluice::history
