// The lines of the messages between a launcher and its processes.
#include "launch/messages.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <variant>

namespace sluice::launch {
namespace {

// Expects that the message has this line, and returns what is read from the line.
template <class Message>
Message of_process(const Message& message, const std::string& line) {
    EXPECT_EQ(to_line(message), line);
    const auto parsed = parse_process_message(line);
    EXPECT_TRUE(parsed && std::holds_alternative<Message>(*parsed)) << line;
    EXPECT_FALSE(parse_launcher_message(line)) << line;
    return parsed && std::holds_alternative<Message>(*parsed) ? std::get<Message>(*parsed) : Message{};
}

TEST(LaunchMessages, of_a_process_are_read_as_they_were_written) {
    of_process(Heartbeat{}, "alive");
    of_process(SaverQuestion{}, "asks");
    EXPECT_EQ(of_process(ErrorReport{"a.toml:1:1: no\nsuch key"}, "error a.toml:1:1: no\vsuch key").error,
              "a.toml:1:1: no\nsuch key");
    EXPECT_EQ(of_process(ErrorReport{}, "error ").error, "");
    EXPECT_EQ(of_process(CheckpointReport{"my runs/last"}, "last my runs/last").file, "my runs/last");
    EXPECT_EQ(of_process(SignalReport{15}, "signal 15").signal, 15);
    EXPECT_EQ(of_process(StopReport{143}, "stopped 143").code, 143);
    EXPECT_EQ(of_process(ExitNotice{7}, "bye 7").code, 7);
}

TEST(LaunchMessages, of_the_launcher_are_read_as_they_were_written) {
    EXPECT_EQ(to_line(StopOrder{2}), "stop 2");
    const auto stop = parse_launcher_message("stop 2");
    ASSERT_TRUE(stop && std::holds_alternative<StopOrder>(*stop));
    EXPECT_EQ(std::get<StopOrder>(*stop).signal, 2);

    const std::string line = "lost 1 -20 3 process 2 on a has exited";
    EXPECT_EQ(to_line(LostReplicaNotice{1, std::chrono::milliseconds(-20), 3, "process 2 on a has exited"}), line);
    const auto lost = parse_launcher_message(line);
    ASSERT_TRUE(lost && std::holds_alternative<LostReplicaNotice>(*lost));
    const auto& notice = std::get<LostReplicaNotice>(*lost);
    EXPECT_EQ(notice.saver, 1U);
    EXPECT_EQ(notice.time, std::chrono::milliseconds(-20));
    EXPECT_EQ(notice.code, 3);
    EXPECT_EQ(notice.reason, "process 2 on a has exited");
}

TEST(LaunchMessages, begin_with_the_place_of_the_process) {
    const std::string line = "hello 1234 3 4711 node-a";
    EXPECT_EQ(to_line(Hello{"1234", 3, 4711, "node-a"}), line);
    const std::optional<Hello> hello = parse_hello(line);
    ASSERT_TRUE(hello);
    EXPECT_EQ(hello->question, "1234");
    EXPECT_EQ(hello->rank, 3U);
    EXPECT_EQ(hello->pid, 4711);
    EXPECT_EQ(hello->host, "node-a");
}

TEST(LaunchMessages, are_refused_if_a_word_or_number_is_wrong) {
    for (const char* const line : {"", "byebye 7", "bye", "bye x", "bye 7x", "signal ", "stop 2", "hello 1 2 3 a"}) {
        EXPECT_FALSE(parse_process_message(line)) << line;
    }
    for (const char* const line :
         {"", "stop", "stop x", "lost", "lost 1", "lost -1 5 0 a", "lost 1 a", "lost 1 5 a", "alive"}) {
        EXPECT_FALSE(parse_launcher_message(line)) << line;
    }
    for (const char* const line : {"", "hello", "hello 1234 x 4711 a", "hello 1234 -1 4711 a", "GET / HTTP/1.1"}) {
        EXPECT_FALSE(parse_hello(line)) << line;
    }
}

}  // namespace
}  // namespace sluice::launch
