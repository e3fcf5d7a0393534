#include "serve/access.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace sluice::serve {
namespace {

int status(const Access& access, const Request& request) {
    const auto refusal = access.refusal(request);
    return refusal ? refusal->status : 200;
}

std::string field(const Response& response, const std::string& name) {
    const auto found = std::ranges::find(response.fields, name, &std::pair<std::string, std::string>::first);
    return found == response.fields.end() ? "" : found->second;
}

TEST(Access, is_for_requests_to_this_machine) {
    const Access access({"Trainer"}, "");
    for (const char* const host : {"localhost", "LOCALHOST:6070", "127.0.0.1:1", "[::1]:6070", "[::1]",
                                   "192.168.1.2:6070", "trainer", "TRAINER:80"}) {
        EXPECT_EQ(status(access, {.method = "GET", .target = "/", .host = host}), 200) << host;
    }
    for (const char* const host :
         {"", "evil.com", "evil.com:6070", "localhost.evil.com", "127.0.0.1.evil.com", "[::1", "1"}) {
        EXPECT_EQ(status(access, {.method = "GET", .target = "/", .host = host}), 421) << host;
    }
}

TEST(Access, is_not_for_pages_of_other_servers) {
    const Access access({}, "");
    EXPECT_EQ(status(access, {.method = "GET", .target = "/", .host = "localhost:1", .origin = "http://localhost:1"}),
              200);
    for (const char* const origin : {"null", "http://localhost:2", "https://localhost:1", "http://evil.com"}) {
        EXPECT_EQ(status(access, {.method = "GET", .target = "/", .host = "localhost:1", .origin = origin}), 403)
            << origin;
    }
}

TEST(Access, only_reads) {
    const Access access({}, "");
    EXPECT_EQ(status(access, {.method = "HEAD", .target = "/", .host = "localhost"}), 200);
    for (const char* const method : {"POST", "PUT", "DELETE", "OPTIONS", "CONNECT", ""}) {
        EXPECT_EQ(status(access, {.method = method, .target = "/", .host = "localhost"}), 405) << method;
    }
}

TEST(Access, needs_the_token_once_and_then_its_cookie) {
    const Access access({}, "0123456789abcdef");
    EXPECT_EQ(status(access, {.method = "GET", .target = "/", .host = "localhost"}), 401);
    EXPECT_EQ(status(access, {.method = "GET", .target = "/?token=0123456789abcdeX", .host = "localhost"}), 401);
    EXPECT_EQ(status(access, {.method = "GET", .target = "/?token=", .host = "localhost"}), 401);
    const auto taken =
        access.refusal({.method = "GET", .target = "/run?name=a%26b&token=0123456789abcdef", .host = "localhost"});
    ASSERT_TRUE(taken);
    EXPECT_EQ(taken->status, 303);
    EXPECT_EQ(field(*taken, "Location"), "/run?name=a%26b");
    EXPECT_EQ(field(*taken, "Set-Cookie"), "sluice_token=0123456789abcdef; HttpOnly; SameSite=Strict; Path=/");
    EXPECT_EQ(
        status(
            access,
            {.method = "GET", .target = "/", .host = "localhost", .cookie = "other=1; sluice_token=0123456789abcdef"}),
        200);
    EXPECT_EQ(status(access, {.method = "GET", .target = "/", .host = "localhost", .cookie = "sluice_token=0"}), 401);
    EXPECT_EQ(status(access, {.method = "GET", .target = "/", .host = "localhost", .cookie = "sluice_token"}), 401);
    const auto elsewhere =
        access.refusal({.method = "GET", .target = "//evil.com/?token=0123456789abcdef", .host = "localhost"});
    EXPECT_EQ(field(*elsewhere, "Location"), "/");
}

}  // namespace
}  // namespace sluice::serve
