// A request of a browser and the response to it, apart from how they travel.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace sluice::serve {

// Header fields are empty if the request lacks them.
struct Request {
    std::string method{};  // "GET"
    std::string target{};  // "/run?name=deblur-001"
    std::string host{};
    std::string origin{};
    std::string cookie{};
    std::string known{};  // If-None-Match: the version that the browser already has
};

struct Response {
    int status = 200;
    std::string type = "text/plain; charset=utf-8";
    std::string body{};
    std::vector<std::pair<std::string, std::string>> fields{};  // more header fields
};

}  // namespace sluice::serve
