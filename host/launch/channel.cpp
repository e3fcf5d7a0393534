#include "launch/channel.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <random>
#include <sstream>
#include <utility>

#include "base/error.hpp"

namespace sluice::launch {
namespace {

constexpr int kConnectMilliseconds = 3000;

sockaddr_in address_of(const std::string& host, std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    ::inet_pton(AF_INET, host.c_str(), &address.sin_addr);
    return address;
}

// Of this machine's interfaces; its own loopback comes first.
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
    return fmt::format("{:08x}{:08x}", random(), random());
}

// Whether the socket comes to be connected in time.
bool is_connected(int socket) {
    pollfd waits{socket, POLLOUT, 0};
    if (::poll(&waits, 1, kConnectMilliseconds) != 1) {
        return false;
    }
    int error = 0;
    socklen_t size = sizeof(error);
    return ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0;
}

}  // namespace

std::string host_name() {
    std::array<char, 256> name{};
    ::gethostname(name.data(), name.size() - 1);
    return name.data();
}

std::string Address::text() const { return fmt::format("{} {} {}", port, token, fmt::join(hosts, " ")); }

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
    : socket_(std::exchange(other.socket_, -1)), begun_(std::move(other.begun_)) {}

Channel& Channel::operator=(Channel&& other) noexcept {
    std::swap(socket_, other.socket_);
    std::swap(begun_, other.begun_);
    return *this;
}

std::optional<Channel> Channel::connect(const Address& address) {
    for (const std::string& host : address.hosts) {
        Channel channel(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        const sockaddr_in to = address_of(host, address.port);
        const int result = ::connect(channel.socket(), reinterpret_cast<const sockaddr*>(&to), sizeof(to));
        if ((result == 0 || errno == EINPROGRESS) && is_connected(channel.socket())) {
            const int on = 1;
            ::setsockopt(channel.socket(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
            return channel;
        }
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
            if (::poll(&waits, 1, kConnectMilliseconds) == 1) {
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

std::vector<std::string> Channel::receive(bool& gone) {
    std::vector<std::string> lines;
    std::array<char, 4096> bytes;
    while (true) {
        const ssize_t got = ::recv(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT);
        if (got <= 0) {
            gone = got == 0 || (errno != EAGAIN && errno != EINTR);
            return lines;
        }
        begun_.append(bytes.data(), static_cast<std::size_t>(got));
        for (std::size_t end = begun_.find('\n'); end != std::string::npos; end = begun_.find('\n')) {
            lines.push_back(begun_.substr(0, end));
            begun_.erase(0, end + 1);
        }
    }
}

Listener::Listener() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
    sockaddr_in own = address_of("0.0.0.0", 0);
    socklen_t size = sizeof(own);
    auto* const bound = reinterpret_cast<sockaddr*>(&own);
    if (socket_ < 0 || ::bind(socket_, bound, size) != 0 || ::listen(socket_, SOMAXCONN) != 0 ||
        ::getsockname(socket_, bound, &size) != 0) {
        throw Error(Exit::device, fmt::format("cannot listen at a port of this machine: {}", std::strerror(errno)));
    }
    address_ = {ntohs(own.sin_port), random_token(), own_hosts()};
}

Listener::~Listener() { ::close(socket_); }

std::optional<Channel> Listener::accept() const {
    const int socket = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    return socket < 0 ? std::nullopt : std::optional<Channel>(socket);
}

}  // namespace sluice::launch
