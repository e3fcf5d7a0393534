// Typed access to the host's services: the log, the machine and a replica's threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <string_view>
#include <type_traits>

#include "sluice/host.h"
#include "sluice/sdk/guard.hpp"

namespace sluice::sdk {

// A thin view of the host. Copy it freely; it is valid until close().
class Host {
public:
    explicit Host(const sluice_host* host)
        : host_(host),
          log_(static_cast<const sluice_log*>(host->get(host, SLUICE_LOG_V1))),
          machine_(static_cast<const sluice_machine*>(host->get(host, SLUICE_MACHINE_V1))) {}

    void info(std::string_view message) const { log(SLUICE_LOG_INFO, message); }
    void warn(std::string_view message) const { log(SLUICE_LOG_WARNING, message); }

    // The part of the machine that this process may use. If the host does not offer the service: 1 core and 0 bytes.
    [[nodiscard]] std::uint32_t usable_cores() const { return machine_ == nullptr ? 1 : machine_->usable_cores(host_); }
    [[nodiscard]] std::uint64_t available_memory() const {
        return machine_ == nullptr ? 0 : machine_->available_memory(host_);
    }

    [[nodiscard]] const sluice_host* raw() const { return host_; }

private:
    void log(std::uint32_t level, std::string_view message) const {
        if (log_ != nullptr && log_->level(host_) <= level) {
            log_->write(host_, level, text_of(message));
        }
    }

    const sluice_host* host_;
    const sluice_log* log_;
    const sluice_machine* machine_;
};

// Calls body(begin, end, piece) over [0, n) on the replica's threads; see sluice_threads. If bodies throw, it rethrows
// the first caught exception after all pieces are done.
template <class Body>
void parallel_for(const sluice_threads* threads, std::int64_t n, std::int64_t grain, Body&& body) {
    if (threads == nullptr) {
        if (n > 0) {
            body(std::int64_t{0}, n, std::uint32_t{0});
        }
        return;
    }
    struct Call {
        std::remove_reference_t<Body>* body;
        std::atomic_flag failed = ATOMIC_FLAG_INIT;
        std::exception_ptr failure;
    };
    Call call{&body, {}, {}};
    threads->parallel_for(
        threads, n, grain,
        [](void* context, std::int64_t begin, std::int64_t end, std::uint32_t piece) noexcept {
            auto& [own, failed, failure] = *static_cast<Call*>(context);
            try {
                (*own)(begin, end, piece);
            } catch (...) {
                if (!failed.test_and_set()) {
                    failure = std::current_exception();
                }
            }
        },
        &call);
    if (call.failure) {
        std::rethrow_exception(call.failure);
    }
}

}  // namespace sluice::sdk
