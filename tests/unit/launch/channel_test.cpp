// How a process finds its launcher among others that listen at the same port.
#include "launch/channel.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <string>
#include <thread>

namespace sluice::launch {
namespace {

// A server at an address of this machine, which sends `answer` whenever it receives something.
class FakeServer {
public:
    // If `port` is 0, the system chooses one.
    FakeServer(const char* host, std::uint16_t port, std::string answer) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in own{};
        own.sin_family = AF_INET;
        own.sin_port = htons(port);
        ::inet_pton(AF_INET, host, &own.sin_addr);
        socklen_t size = sizeof(own);
        auto* const bound = reinterpret_cast<sockaddr*>(&own);
        EXPECT_EQ(::bind(socket_, bound, size), 0);
        EXPECT_EQ(::listen(socket_, 1), 0);
        ::getsockname(socket_, bound, &size);
        port_ = ntohs(own.sin_port);
        thread_ = std::thread([this, text = std::move(answer)] { serve(text); });
    }
    ~FakeServer() {
        ::shutdown(socket_, SHUT_RDWR);
        thread_.join();
        ::close(socket_);
    }
    FakeServer(const FakeServer&) = delete;
    FakeServer& operator=(const FakeServer&) = delete;

    [[nodiscard]] std::uint16_t port() const { return port_; }

private:
    void serve(const std::string& answer) const {
        const int guest = ::accept(socket_, nullptr, nullptr);
        std::array<char, 256> heard{};
        while (guest >= 0 && ::recv(guest, heard.data(), heard.size(), 0) > 0) {
            ::send(guest, answer.data(), answer.size(), MSG_NOSIGNAL);
        }
        ::close(guest);
    }

    int socket_;
    std::uint16_t port_ = 0;
    std::thread thread_;
};

TEST(LaunchChannel, is_to_the_one_that_knows_the_answer) {
    const FakeServer silent("127.0.0.2", 0, "");
    const FakeServer other("127.0.0.3", silent.port(), "welcome abcd\n");
    const FakeServer launcher("127.0.0.4", silent.port(), "welcome 5678\nstop 2\n");
    const Address address{silent.port(), "12345678", {"127.0.0.2", "127.0.0.3", "127.0.0.4"}};
    std::optional<Channel> channel = Channel::connect(address, "0 4711 here");
    ASSERT_TRUE(channel);
    bool is_closed = false;
    for (int i = 0; i < 1000; ++i) {  // the line after the answer is not lost
        if (const auto line = channel->receive_line(is_closed)) {
            EXPECT_EQ(*line, "stop 2");
            return;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    FAIL() << "no line has come after the answer";
}

TEST(LaunchChannel, is_none_if_nobody_knows_the_answer) {
    const FakeServer other("127.0.0.3", 0, "welcome 1234\n");
    EXPECT_FALSE(Channel::connect({other.port(), "12345678", {"127.0.0.2", "127.0.0.3"}}, "0 4711 here"));
}

}  // namespace
}  // namespace sluice::launch
