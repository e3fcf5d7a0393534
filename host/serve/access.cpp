#include "serve/access.hpp"

#include <arpa/inet.h>
#include <openssl/crypto.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "serve/target.hpp"

namespace sluice::serve {
namespace {

constexpr std::string_view kCookie = "sluice_token=";

// The time that it takes does not depend on how much of the token is right.
bool is_same(std::string_view given, std::string_view right) {
    return given.size() == right.size() && CRYPTO_memcmp(given.data(), right.data(), right.size()) == 0;
}

std::string lower(std::string text) {
    std::ranges::transform(text, text.begin(), [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    });
    return text;
}

// Removes the port, and the brackets of IPv6 addresses.
std::string without_port(const std::string& host) {
    if (host.starts_with('[')) {
        const std::size_t end = host.find(']');
        return end == std::string::npos ? host : host.substr(1, end - 1);
    }
    return host.substr(0, host.find(':'));
}

bool is_address(const std::string& host) {
    in6_addr bytes{};
    return inet_pton(AF_INET, host.c_str(), &bytes) == 1 || inet_pton(AF_INET6, host.c_str(), &bytes) == 1;
}

std::string token_of(const std::string& cookies) {
    for (std::size_t begin = 0; begin < cookies.size();) {
        const std::size_t end = std::min(cookies.find(';', begin), cookies.size());
        const std::string_view cookie = std::string_view(cookies).substr(begin, end - begin);
        if (cookie.starts_with(kCookie)) {
            return std::string(cookie.substr(kCookie.size()));
        }
        begin = std::min(cookies.find_first_not_of("; ", end), cookies.size());
    }
    return {};
}

// The same address without its token.
std::string without_token(const Target& target) {
    std::string text = target.path;
    char separator = '?';
    for (const auto& [name, value] : target.parameters) {
        if (name != "token") {
            text += separator + encoded(name) + "=" + encoded(value);
            separator = '&';
        }
    }
    return text;
}

}  // namespace

Access::Access(std::vector<std::string> names, std::string token) : names_(std::move(names)), token_(std::move(token)) {
    std::ranges::transform(names_, names_.begin(), lower);
    names_.emplace_back("localhost");
}

bool Access::is_own(const std::string& host) const {
    const std::string name = lower(without_port(host));
    return is_address(name) || std::ranges::find(names_, name) != names_.end();
}

std::optional<Response> Access::refusal(const Request& request) const {
    if (request.method != "GET" && request.method != "HEAD") {
        return Response{
            .status = 405, .body = "405: only GET and HEAD are served\n", .fields = {{"Allow", "GET, HEAD"}}};
    }
    if (!is_own(request.host)) {
        return Response{.status = 421,
                        .body =
                            "421: the request is for another host; if this name is right, start the server with "
                            "--host-name\n"};
    }
    if (!request.origin.empty() && request.origin != "http://" + request.host) {
        return Response{.status = 403, .body = "403: a page of another server asks for this one\n"};
    }
    if (token_.empty()) {
        return std::nullopt;
    }
    const std::optional<Target> target = parse_target(request.target);
    const std::string given = target ? target->parameter("token") : "";
    if (!given.empty() && is_same(given, token_)) {
        // The token leaves the address, so that histories and bookmarks do not keep it.
        std::string place = without_token(*target);
        if (place.starts_with("//")) {
            place = "/";  // would name another server
        }
        return Response{
            .status = 303,
            .fields = {{"Location", place},
                       {"Set-Cookie", std::string(kCookie) + token_ + "; HttpOnly; SameSite=Strict; Path=/"}}};
    }
    if (is_same(token_of(request.cookie), token_)) {
        return std::nullopt;
    }
    return Response{.status = 401, .body = "401: open the address with the token that the server printed\n"};
}

}  // namespace sluice::serve
