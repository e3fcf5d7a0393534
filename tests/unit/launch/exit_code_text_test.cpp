// The exit code of another process in the text of a reason.
#include "launch/exit_code_text.hpp"

#include <gtest/gtest.h>

namespace sluice::launch {
namespace {

TEST(LaunchPeerExit, is_read_from_the_reason_that_it_was_written_to) {
    const std::string text = PeerExit{Exit::data}.text();
    EXPECT_EQ(text, "has left with exit code " + std::to_string(static_cast<int>(Exit::data)));
    for (const std::string& reason :
         {"process 2 on node1 " + text, "replica 0 is gone: it " + text + "; see its log"}) {
        const auto parsed = PeerExit::parse(reason);
        ASSERT_TRUE(parsed) << reason;
        EXPECT_EQ(parsed->code, Exit::data);
    }
    EXPECT_FALSE(PeerExit::parse("process 2 on node1 has exited unexpectedly"));
    EXPECT_FALSE(PeerExit::parse("process 2 has left with exit code "));
}

}  // namespace
}  // namespace sluice::launch
