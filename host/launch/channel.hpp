// Lines of text between `host launch` and the processes that it has started, by TCP.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::launch {

inline constexpr const char* kVariable = "SLUICE_LAUNCH";  // of the environment: where the launcher is
inline constexpr char kLineBreak = '\v';                   // inside of a line
inline constexpr std::chrono::milliseconds kBeat{500};     // a process tells so often that it lives
inline constexpr std::chrono::seconds kSilence{4};         // one that tells nothing for so long is lost
inline constexpr std::chrono::seconds kAnswer{1};          // for the launcher to say who saves
inline constexpr std::chrono::seconds kLeave{8};           // from when one was lost until all others have left
inline constexpr std::chrono::seconds kFollow{2};          // for those with nothing left to save

// Where the launcher listens, and what shows it that it is its own process that comes.
struct Address {
    std::uint16_t port = 0;
    std::string token;               // a process shows the first half, the launcher answers with the second
    std::vector<std::string> hosts;  // IPv4 addresses, of which one will be reached

    [[nodiscard]] std::string text() const;
    [[nodiscard]] std::string question() const { return token.substr(0, token.size() / 2); }
    [[nodiscard]] std::string answer() const { return "welcome " + token.substr(token.size() / 2); }
    // Without the token: "port 4711 of 10.0.0.1, 10.0.0.2".
    [[nodiscard]] std::string place() const;
    static std::optional<Address> parse(const std::string& text);
};

class Channel {
public:
    // Takes the socket over.
    explicit Channel(int socket) : socket_(socket) {}
    ~Channel();
    Channel(Channel&& other) noexcept;
    Channel& operator=(Channel&& other) noexcept;

    // Says "hello QUESTION words" to all hosts at once, and keeps the one that answers as the launcher alone can:
    // behind the same port of another host may be anybody. Nothing where none does.
    static std::optional<Channel> connect(const Address& address, std::string_view words);

    [[nodiscard]] int socket() const { return socket_; }
    // Without the end of the line. False: the other side is gone.
    bool send(std::string_view line) const;
    // What has come, waiting for nothing; `gone` is set where the other side is.
    std::vector<std::string> receive(bool& gone);
    // The first of it.
    std::optional<std::string> receive_line(bool& gone);

private:
    int socket_;
    std::string unread_;  // lines, and the begun one
};

class Listener {
public:
    // At a free port of all interfaces. Throws Error(Exit::device).
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
