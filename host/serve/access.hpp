// Decides who may read the pages.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "serve/message.hpp"

namespace sluice::serve {

// Pages are only read, so that a foreign page could at most read them in the user's browser. Against that, the request
// must be for an address or a name of this machine (a foreign name may be bound to it: DNS rebinding), and must not
// come from a page of another server.
class Access {
public:
    // `names` are host names that are allowed beside localhost and addresses. An empty token: none is needed.
    Access(std::vector<std::string> names, std::string token);

    // Returns the response that refuses the request, or that takes the token from its address into a cookie; nothing if
    // the request is allowed.
    [[nodiscard]] std::optional<Response> refusal(const Request& request) const;

private:
    [[nodiscard]] bool is_own(const std::string& host) const;

    std::vector<std::string> names_;
    std::string token_;
};

}  // namespace sluice::serve
