// What a process knows of a loss that the launcher has reported.
#include "launch/launcher_connection.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>
#include <chrono>
#include <future>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "launch/channel.hpp"
#include "launch/messages.hpp"

namespace sluice::launch {
namespace {

struct Answers {
    std::optional<Exit> peer_exit;
    bool saves = false;
};

// The answers of a connection after the launcher has sent `notice`.
Answers answers_after(const LostReplicaNotice& notice) {
    std::array<int, 2> sockets{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, sockets.data()), 0);
    const Channel launcher(sockets[0]);
    LauncherConnection connection{Channel(sockets[1])};
    std::promise<std::string> reason;
    connection.listen({.lost = [&](const std::string& text) { reason.set_value(text); }, .stop = [](int) {}});
    EXPECT_TRUE(launcher.send(to_line(notice)));
    EXPECT_EQ(reason.get_future().get(), notice.reason);
    return {connection.peer_exit(), connection.ask_if_saver()};
}

TEST(LauncherConnection, knows_the_exit_code_of_a_process_that_failed) {
    const Answers answers =
        answers_after({.saver = 1, .time = std::chrono::minutes(1), .code = 3, .reason = "process 2 has failed"});
    EXPECT_EQ(answers.peer_exit, Exit::data);
    EXPECT_FALSE(answers.saves);
}

TEST(LauncherConnection, knows_no_exit_code_of_a_lost_process) {
    const Answers answers = answers_after({.time = std::chrono::minutes(1), .reason = "process 2 is lost"});
    EXPECT_EQ(answers.peer_exit, std::nullopt);
    EXPECT_TRUE(answers.saves);
}

}  // namespace
}  // namespace sluice::launch
