// An HTTP server for few readers: one thread, bounded connections, sizes and times.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "serve/message.hpp"

namespace sluice::serve {

class WebServer {
public:
    using Respond = std::function<Response(const Request&)>;

    // Listens at the address; port 0 takes a free one. Throws Error(Exit::config) if that is not possible.
    WebServer(const std::string& address, std::uint16_t port, Respond respond);
    ~WebServer();
    WebServer(const WebServer&) = delete;
    WebServer& operator=(const WebServer&) = delete;

    [[nodiscard]] std::uint16_t port() const;
    [[nodiscard]] bool is_loopback() const;
    // Serves until `is_over` returns true, which it asks several times a second. All calls of `respond` come from here.
    void serve(const std::function<bool()>& is_over);

private:
    class Listener;
    std::unique_ptr<Listener> listener_;
};

}  // namespace sluice::serve
