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
inline constexpr std::chrono::seconds kLeave{5};           // for that one to save, and for all to leave
inline constexpr std::chrono::seconds kFollow{2};          // for the others to leave behind it

// Of this machine.
[[nodiscard]] std::string host_name();

// Where the launcher listens, and what shows it that it is its own process that comes.
struct Address {
    std::uint16_t port = 0;
    std::string token;
    std::vector<std::string> hosts;  // IPv4 addresses, of which one will be reached

    [[nodiscard]] std::string text() const;
    static std::optional<Address> parse(const std::string& text);
};

class Channel {
public:
    // Takes the socket over.
    explicit Channel(int socket) : socket_(socket) {}
    ~Channel();
    Channel(Channel&& other) noexcept;
    Channel& operator=(Channel&& other) noexcept;

    // Nothing where none of the hosts is reached.
    static std::optional<Channel> connect(const Address& address);

    [[nodiscard]] int socket() const { return socket_; }
    // Without the end of the line. False: the other side is gone.
    bool send(std::string_view line) const;
    // What has come, waiting for nothing; `gone` is set where the other side is.
    std::vector<std::string> receive(bool& gone);

private:
    int socket_;
    std::string begun_;  // of a line
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
