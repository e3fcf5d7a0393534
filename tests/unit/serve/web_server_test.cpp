#include "serve/web_server.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>

#include "base/error.hpp"

namespace sluice::serve {
namespace {

class Server : public testing::Test {
protected:
    Server() : thread_([this] { server_.serve([this] { return is_over_.load(); }); }) {}
    ~Server() override {
        is_over_ = true;
        thread_.join();
    }

    [[nodiscard]] std::uint16_t port() const { return server_.port(); }
    [[nodiscard]] int connect() const {
        const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port());
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        EXPECT_EQ(::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
        return fd;
    }
    static void send(int fd, const std::string& text) {
        EXPECT_EQ(::send(fd, text.data(), text.size(), MSG_NOSIGNAL), static_cast<ssize_t>(text.size()));
    }
    // Until the server closes.
    static std::string receive(int fd) {
        std::string all;
        std::string part(4096, '\0');
        for (ssize_t size = 0; (size = ::recv(fd, part.data(), part.size(), 0)) > 0;) {
            all.append(part, 0, static_cast<std::size_t>(size));
        }
        ::close(fd);
        return all;
    }
    [[nodiscard]] std::string answer_to(const std::string& text) const {
        const int fd = connect();
        send(fd, text);
        return receive(fd);
    }

private:
    std::atomic<bool> is_over_ = false;
    WebServer server_{"127.0.0.1", 0, [](const Request& request) {
                          return Response{.body = fmt::format("{} {} {} {} {}", request.method, request.target,
                                                              request.host, request.cookie, request.known),
                                          .fields = {{"X-Own", "1"}}};
                      }};
    std::thread thread_;
};

TEST_F(Server, hands_requests_on_and_protects_responses) {
    const std::string answer = answer_to(
        "GET /a?b HTTP/1.1\r\nHost: h:1\r\nCookie: c\r\nIf-None-Match: \"v\"\r\n"
        "Connection: close\r\n\r\n");
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 200 OK\r\n")) << answer;
    EXPECT_TRUE(answer.ends_with("\r\n\r\nGET /a?b h:1 c \"v\"")) << answer;
    for (const char* const field :
         {"Content-Security-Policy: default-src 'none'", "X-Content-Type-Options: nosniff", "X-Own: 1"}) {
        EXPECT_NE(answer.find(field), std::string::npos) << field;
    }
}

TEST_F(Server, keeps_a_connection_for_more_requests) {
    const std::string answer =
        answer_to("GET /1 HTTP/1.1\r\nHost: h\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    EXPECT_NE(answer.find("GET /1 h"), std::string::npos);
    EXPECT_TRUE(answer.ends_with("GET /2 h  ")) << answer;
}

TEST_F(Server, answers_head_without_a_body) {
    const std::string answer = answer_to("HEAD / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    EXPECT_TRUE(answer.ends_with("\r\n\r\n")) << answer;
    EXPECT_NE(answer.find("Content-Length: 10"), std::string::npos) << answer;
}

TEST_F(Server, refuses_what_is_no_request) {
    EXPECT_TRUE(answer_to("\x16\x03\x01 garbage\r\n\r\n").starts_with("HTTP/1.1 400"));
    EXPECT_TRUE(answer_to("GET / HTTP/1.1\r\nHost: h\r\nX: " + std::string(9000, 'x')).starts_with("HTTP/1.1 431"));
    EXPECT_TRUE(answer_to("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nabcde").starts_with("HTTP/1.1 4"));
}

TEST_F(Server, goes_on_while_others_do_not_finish_their_requests) {
    std::vector<int> slow;
    for (int i = 0; i < 200; ++i) {
        slow.push_back(connect());
        send(slow.back(), "GET / HTTP/1.1\r\nHo");
    }
    EXPECT_TRUE(answer_to("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n").starts_with("HTTP/1.1 200"));
    for (const int fd : slow) {
        ::close(fd);
    }
}

TEST_F(Server, needs_a_free_port_and_an_address) {
    try {
        WebServer("127.0.0.1", port(), {});
        ADD_FAILURE() << "two servers at one port";
    } catch (const Error& error) {
        EXPECT_EQ(error.exit(), Exit::config);
        EXPECT_NE(std::string(error.what()).find("--port 0 takes a free port"), std::string::npos) << error.what();
    }
    EXPECT_THROW(WebServer("localhorst", 0, {}), Error);
}

}  // namespace
}  // namespace sluice::serve
