#include "launch/channel.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <random>
#include <sstream>
#include <utility>

#include "base/error.hpp"

namespace sluice::launch {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kConnect{3};
constexpr int kSendMilliseconds = 3000;

sockaddr_in address_of(const std::string& host, std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    ::inet_pton(AF_INET, host.c_str(), &address.sin_addr);
    return address;
}

// IPv4 addresses of this machine's interfaces; the loopback address comes first.
std::vector<std::string> own_hosts() {
    std::vector<std::string> hosts{"127.0.0.1"};
    ifaddrs* all = nullptr;
    if (::getifaddrs(&all) != 0) {
        return hosts;
    }
    for (const ifaddrs* one = all; one != nullptr; one = one->ifa_next) {
        if (one->ifa_addr != nullptr && one->ifa_addr->sa_family == AF_INET) {
            sockaddr_in address{};
            std::memcpy(&address, one->ifa_addr, sizeof(address));
            std::array<char, INET_ADDRSTRLEN> text{};
            ::inet_ntop(AF_INET, &address.sin_addr, text.data(), text.size());
            if (hosts.front() != text.data()) {
                hosts.emplace_back(text.data());
            }
        }
    }
    ::freeifaddrs(all);
    return hosts;
}

std::string random_token() {
    std::random_device random;
    return fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

bool is_connected(int socket) {
    int error = 0;
    socklen_t size = sizeof(error);
    return ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0;
}

// An attempt to connect to one host, which may not be the launcher's.
struct Call {
    enum class State { connecting, asking, answered, refused };

    Channel channel;
    State state = State::connecting;

    // Called when the socket is connected or has data to read.
    void go_on(const std::string& hello, const std::string& answer) {
        if (state == State::connecting) {
            const int on = 1;
            ::setsockopt(channel.socket(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
            state = is_connected(channel.socket()) && channel.send(hello) ? State::asking : State::refused;
            return;
        }
        bool is_closed = false;
        const std::optional<std::string> line = channel.receive_line(is_closed);
        if (line || is_closed) {
            state = line == answer ? State::answered : State::refused;
        }
    }
};

}  // namespace

std::string Address::text() const { return fmt::format("{} {} {}", port, token, fmt::join(hosts, " ")); }

std::string Address::place() const { return fmt::format("port {} of {}", port, fmt::join(hosts, ", ")); }

std::optional<Address> Address::parse(const std::string& text) {
    std::istringstream in(text);
    Address address;
    in >> address.port >> address.token;
    for (std::string host; in >> host;) {
        address.hosts.push_back(host);
    }
    return address.hosts.empty() ? std::nullopt : std::optional(address);
}

Channel::~Channel() {
    if (socket_ >= 0) {
        ::close(socket_);
    }
}

Channel::Channel(Channel&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)), unread_(std::move(other.unread_)) {}

Channel& Channel::operator=(Channel&& other) noexcept {
    std::swap(socket_, other.socket_);
    std::swap(unread_, other.unread_);
    return *this;
}

std::optional<Channel> Channel::connect(const Address& address, const std::string& hello) {
    std::vector<Call> calls;
    for (const std::string& host : address.hosts) {
        Channel channel(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        const sockaddr_in to = address_of(host, address.port);
        const int result = ::connect(channel.socket(), reinterpret_cast<const sockaddr*>(&to), sizeof(to));
        if (result == 0 || errno == EINPROGRESS) {
            calls.push_back({std::move(channel)});
        }
    }
    for (const auto until = Clock::now() + kConnect; !calls.empty() && Clock::now() < until;) {
        std::vector<pollfd> waits;
        for (const Call& call : calls) {
            const short event = call.state == Call::State::connecting ? POLLOUT : POLLIN;
            waits.push_back({call.channel.socket(), event, 0});
        }
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
        ::poll(waits.data(), waits.size(), static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
        for (std::size_t i = 0; i < calls.size(); ++i) {
            if (waits[i].revents != 0) {
                calls[i].go_on(hello, address.answer());
            }
            if (calls[i].state == Call::State::answered) {
                return std::move(calls[i].channel);
            }
        }
        std::erase_if(calls, [](const Call& call) { return call.state == Call::State::refused; });
    }
    return std::nullopt;
}

bool Channel::send(std::string_view line) const {
    std::string text(line);
    for (char& letter : text) {
        letter = letter == '\n' ? ' ' : letter;
    }
    text += '\n';
    for (std::size_t sent = 0; sent < text.size();) {
        const ssize_t more = ::send(socket_, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
        if (more < 0 && errno == EAGAIN) {
            pollfd waits{socket_, POLLOUT, 0};
            if (::poll(&waits, 1, kSendMilliseconds) == 1) {
                continue;
            }
        }
        if (more < 0) {
            return false;
        }
        sent += static_cast<std::size_t>(more);
    }
    return true;
}

std::vector<std::string> Channel::receive(bool& is_closed) {
    std::vector<std::string> lines;
    while (std::optional<std::string> line = receive_line(is_closed)) {
        lines.push_back(std::move(*line));
    }
    return lines;
}

std::optional<std::string> Channel::receive_line(bool& is_closed) {
    std::array<char, 4096> bytes;
    std::size_t end = unread_.find('\n');
    while (end == std::string::npos) {
        const ssize_t got = ::recv(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT);
        if (got <= 0) {
            is_closed = got == 0 || (errno != EAGAIN && errno != EINTR);
            return std::nullopt;
        }
        unread_.append(bytes.data(), static_cast<std::size_t>(got));
        end = unread_.find('\n');
    }
    std::string line = unread_.substr(0, end);
    unread_.erase(0, end + 1);
    return line;
}

Listener::Listener() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
    sockaddr_in own = address_of("0.0.0.0", 0);
    socklen_t size = sizeof(own);
    auto* const bound = reinterpret_cast<sockaddr*>(&own);
    if (socket_ < 0 || ::bind(socket_, bound, size) != 0 || ::listen(socket_, SOMAXCONN) != 0 ||
        ::getsockname(socket_, bound, &size) != 0) {
        throw Error(Exit::device, fmt::format("cannot listen on a port of this machine: {}", std::strerror(errno)));
    }
    address_ = {ntohs(own.sin_port), random_token(), own_hosts()};
}

Listener::~Listener() { ::close(socket_); }

std::optional<Channel> Listener::accept() const {
    const int socket = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    return socket < 0 ? std::nullopt : std::optional<Channel>(socket);
}

}  // namespace sluice::launch
