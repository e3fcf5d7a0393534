// The exit code of another process in the text of a reason.
#include "base/peer_exit.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sluice {
namespace {

TEST(PeerExit, is_read_from_the_reason_that_it_was_written_to) {
    const std::string text = peer_exit_text(Exit::data);
    EXPECT_EQ(text, "it has exited with code " + std::to_string(static_cast<int>(Exit::data)));
    for (const std::string& reason :
         {"process 2 on node1 has aborted: " + text, "process 0 on node2 has aborted: " + text + "; see its log"}) {
        EXPECT_EQ(peer_exit_in(reason), Exit::data) << reason;
    }
}

TEST(PeerExit, is_in_no_other_reason) {
    for (const char* const reason : {"process 2 on node1 has exited unexpectedly", "mpirun exited with code 1",
                                     "process 2 on node1 has exited with code 3", "it has exited with code ", ""}) {
        EXPECT_EQ(peer_exit_in(reason), std::nullopt) << reason;
    }
}

}  // namespace
}  // namespace sluice
