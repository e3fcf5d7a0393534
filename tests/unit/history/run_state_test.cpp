#include "history/run_state.hpp"

#include <gtest/gtest.h>

namespace sluice::history {
namespace {

TEST(RunState, is_that_of_the_last_sitting) {
    RunHistory history;
    EXPECT_EQ(state_of(history, true), RunState::starting);
    EXPECT_EQ(state_of(history, false), RunState::failed);
    history.add({.kind = EventKind::run_begin});
    EXPECT_EQ(state_of(history, true), RunState::running);
    EXPECT_EQ(state_of(history, false), RunState::killed);
    for (const RunState state : {RunState::finished, RunState::interrupted, RunState::diverged, RunState::failed}) {
        history.add({.kind = EventKind::run_begin});
        history.add({.kind = EventKind::run_end, .text = name_of(state)});
        EXPECT_EQ(state_of(history, false), state);
    }
}

}  // namespace
}  // namespace sluice::history
