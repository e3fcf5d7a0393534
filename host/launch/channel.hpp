// Lines of text by TCP between `host launch` and the processes that it started.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::launch {

inline constexpr const char* kVariable = "SLUICE_LAUNCH";  // environment variable: the launcher's address

// The place where the launcher listens, and the token by which it and its processes recognize each other.
struct Address {
    std::uint16_t port = 0;
    std::string token;               // a process sends the first half, the launcher answers with the second
    std::vector<std::string> hosts;  // the launcher's IPv4 addresses; reaching one of them is enough

    [[nodiscard]] std::string text() const;
    [[nodiscard]] std::string question() const { return token.substr(0, token.size() / 2); }
    [[nodiscard]] std::string answer() const { return "welcome " + token.substr(token.size() / 2); }
    // For messages, without the token: "port 4711 of 10.0.0.1, 10.0.0.2".
    [[nodiscard]] std::string place() const;
    static std::optional<Address> parse(const std::string& text);
};

class Channel {
public:
    // Takes ownership of the socket.
    explicit Channel(int socket) : socket_(socket) {}
    ~Channel();
    Channel(Channel&& other) noexcept;
    Channel& operator=(Channel&& other) noexcept;

    // Sends the line `hello` to all hosts at once. Keeps the connection that gives the launcher's answer, because
    // another program may listen on the same port of another host. Returns nothing if no host gives this answer.
    static std::optional<Channel> connect(const Address& address, const std::string& hello);

    [[nodiscard]] int socket() const { return socket_; }
    // Sends `line` and a line end; line feeds in it become spaces. Returns false if the connection is lost.
    bool send(std::string_view line) const;
    // Returns the lines that have arrived, without waiting. Sets `is_closed` if the connection is lost.
    std::vector<std::string> receive(bool& is_closed);
    // The same for the first line alone.
    std::optional<std::string> receive_line(bool& is_closed);

private:
    int socket_;
    std::string unread_;  // received lines, of which the last may be incomplete
};

class Listener {
public:
    // Listens on a free port of all interfaces. Throws Error(Exit::device).
    Listener();
    ~Listener();
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;

    [[nodiscard]] int socket() const { return socket_; }
    [[nodiscard]] const Address& address() const { return address_; }
    [[nodiscard]] std::optional<Channel> accept() const;

private:
    int socket_;
    Address address_;
};

}  // namespace sluice::launch
