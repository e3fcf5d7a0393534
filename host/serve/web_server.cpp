#include "serve/web_server.hpp"

#include <fmt/format.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <cstddef>
#include <list>
#include <optional>
#include <utility>

#include "base/error.hpp"

namespace sluice::serve {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using tcp = asio::ip::tcp;
using Problem = boost::system::error_code;

constexpr std::size_t kMostWaiting = 256;    // connections without a request
constexpr std::uint32_t kMostHeader = 8192;  // bytes
constexpr std::size_t kMostBuffered = 16384;
constexpr std::chrono::seconds kReadTime{10};   // for a whole request, and between two of them
constexpr std::chrono::seconds kWriteTime{60};  // for a whole response
constexpr std::chrono::milliseconds kPollTime{200};

std::string field_of(const http::request<http::empty_body>& request, http::field field) {
    return std::string(request[field]);
}

// Headers that keep the browser from anything but showing these pages.
void add_protection(http::response<http::string_body>& response) {
    response.set(http::field::server, "Sluice");
    response.set("Content-Security-Policy",
                 "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self'; connect-src "
                 "'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'");
    response.set("X-Content-Type-Options", "nosniff");
    response.set("Cross-Origin-Resource-Policy", "same-origin");
    response.set("Referrer-Policy", "no-referrer");
    response.set(http::field::cache_control, "no-cache");
}

// One browser's connection. Each pending operation holds it, and its end closes it.
class Connection : public std::enable_shared_from_this<Connection> {
public:
    using Waiting = std::list<Connection*>;

    // `waiting` has the connections that wait for a request, the longest waiting first. It must outlive them.
    Connection(tcp::socket socket, const WebServer::Respond& respond, Waiting& waiting)
        : stream_(std::move(socket)), respond_(respond), waiting_(waiting), place_(waiting.end()) {}
    ~Connection() { leave_waiting(); }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    void read() {
        place_ = waiting_.insert(waiting_.end(), this);
        parser_.emplace();
        parser_->header_limit(kMostHeader);
        parser_->body_limit(0);
        stream_.expires_after(kReadTime);
        http::async_read(stream_, buffer_, *parser_,
                         [self = shared_from_this()](const Problem& problem, std::size_t) { self->answer(problem); });
    }

    void close() { stream_.close(); }

private:
    void leave_waiting() {
        if (place_ != waiting_.end()) {
            waiting_.erase(std::exchange(place_, waiting_.end()));
        }
    }

    void answer(const Problem& problem) {
        leave_waiting();
        if (problem == http::error::header_limit || problem == http::error::buffer_overflow) {
            write({.status = 431, .body = "431: the header of the request is too long\n"}, true);
            return;
        }
        if (problem.category() == http::make_error_code(http::error::bad_method).category() &&
            problem != http::error::end_of_stream && problem != http::error::partial_message) {
            write({.status = 400, .body = "400: this is no request for a page\n"}, true);
            return;
        }
        if (problem) {
            return;  // the browser has gone, or was too slow
        }
        const http::request<http::empty_body>& request = parser_->get();
        is_head_ = request.method() == http::verb::head;
        keeps_alive_ = request.keep_alive();
        write(respond_({.method = std::string(request.method_string()),
                        .target = std::string(request.target()),
                        .host = field_of(request, http::field::host),
                        .origin = field_of(request, http::field::origin),
                        .cookie = field_of(request, http::field::cookie),
                        .known = field_of(request, http::field::if_none_match)}),
              !keeps_alive_);
    }

    void write(Response&& response, bool closes) {
        response_ = {};
        response_.version(11);
        response_.result(static_cast<unsigned>(response.status));
        add_protection(response_);
        for (const auto& [name, value] : response.fields) {
            response_.set(name, value);
        }
        response_.set(http::field::content_type, response.type);
        response_.keep_alive(!closes);
        const std::size_t size = response.body.size();
        if (!is_head_) {
            response_.body() = std::move(response.body);
        }
        if (response.status != 304) {
            response_.content_length(size);
        }
        stream_.expires_after(kWriteTime);
        http::async_write(stream_, response_, [self = shared_from_this(), closes](const Problem& problem, std::size_t) {
            if (!problem && !closes) {
                self->read();
            }
        });
    }

    beast::tcp_stream stream_;
    beast::flat_buffer buffer_{kMostBuffered};
    std::optional<http::request_parser<http::empty_body>> parser_;
    http::response<http::string_body> response_;
    const WebServer::Respond& respond_;
    Waiting& waiting_;
    Waiting::iterator place_;
    bool is_head_ = false;
    bool keeps_alive_ = false;
};

}  // namespace

class WebServer::Listener {
public:
    Listener(const std::string& address, std::uint16_t port, Respond respond)
        : acceptor_(context_), timer_(context_), respond_(std::move(respond)) {
        Problem problem;
        const asio::ip::address parsed = asio::ip::make_address(address, problem);
        if (problem) {
            throw Error(Exit::config, fmt::format("--address {}: this is no IP address; 127.0.0.1 is one", address));
        }
        const tcp::endpoint endpoint(parsed, port);
        acceptor_.open(endpoint.protocol(), problem);
        if (!problem) {
            acceptor_.set_option(tcp::acceptor::reuse_address(true), problem);
            acceptor_.bind(endpoint, problem);
        }
        if (!problem) {
            acceptor_.listen(tcp::acceptor::max_listen_connections, problem);
        }
        if (problem) {
            throw Error(Exit::config, fmt::format("cannot listen at {} port {}: {}; --port 0 takes a free port",
                                                  address, port, problem.message()));
        }
    }

    [[nodiscard]] tcp::endpoint endpoint() const { return acceptor_.local_endpoint(); }

    void serve(const std::function<bool()>& is_over) {
        accept();
        poll(is_over);
        context_.run();
    }

private:
    void accept() {
        acceptor_.async_accept([this](const Problem& problem, tcp::socket socket) {
            if (problem == asio::error::operation_aborted) {
                return;
            }
            if (!problem) {
                if (waiting_.size() >= kMostWaiting) {
                    waiting_.front()->close();  // so that connections without requests lock nobody out
                }
                std::make_shared<Connection>(std::move(socket), respond_, waiting_)->read();
            }
            if (problem) {  // such as too many open files: connections that end make room
                is_paused_ = true;
                return;
            }
            accept();
        });
    }

    void poll(const std::function<bool()>& is_over) {
        timer_.expires_after(kPollTime);
        timer_.async_wait([this, &is_over](const Problem&) {
            if (is_over()) {
                context_.stop();
                return;
            }
            if (std::exchange(is_paused_, false)) {
                accept();
            }
            poll(is_over);
        });
    }

    Connection::Waiting waiting_;  // outlives the connections, which the context destroys
    asio::io_context context_{1};
    tcp::acceptor acceptor_;
    asio::steady_timer timer_;
    Respond respond_;
    bool is_paused_ = false;
};

WebServer::WebServer(const std::string& address, std::uint16_t port, Respond respond)
    : listener_(std::make_unique<Listener>(address, port, std::move(respond))) {}

WebServer::~WebServer() = default;

std::uint16_t WebServer::port() const { return listener_->endpoint().port(); }

bool WebServer::is_loopback() const { return listener_->endpoint().address().is_loopback(); }

void WebServer::serve(const std::function<bool()>& is_over) { listener_->serve(is_over); }

}  // namespace sluice::serve
