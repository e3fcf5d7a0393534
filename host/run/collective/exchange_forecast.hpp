// Forecast of a step's exchange if each replica had its own device: bytes and seconds, computed from a plan alone.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/spec.hpp"
#include "plan/plan.hpp"

namespace sluice::run {

// The connection from each device to the next one in the ring.
struct Link {
    std::string name;
    double rate = 0.0;     // bytes per second
    double latency = 0.0;  // seconds before the first byte of a message
};

// Common links with their usual latencies.
std::span<const Link> usual_links();

class ExchangeForecast {
public:
    // `plan` belongs to one of `replicas` replicas and must outlive this object. `wants_norm`: the step needs the
    // gradient norm.
    ExchangeForecast(const config::PipelineSpec& spec, const plan::Plan& plan, bool wants_norm, std::uint32_t replicas);

    // Bytes that each replica sends in a step.
    [[nodiscard]] double bytes_sent() const;
    // Seconds that the exchange of a step takes.
    [[nodiscard]] double seconds(const Link& link) const;
    // The part of seconds() that can overlap backward: all gradient buckets but the last.
    [[nodiscard]] double seconds_beside_backward(const Link& link) const;
    // Text for the user, with one line for each link.
    [[nodiscard]] std::string text(std::span<const Link> links) const;

private:
    // A buffer that all replicas exchange around the ring.
    struct Traffic {
        std::string_view what;
        int passes;  // around the ring: 2 for an all-reduce, 1 for a reduce-scatter or an all-gather
        std::uint64_t bytes;
        std::uint64_t buckets;  // sent one after the other
    };

    [[nodiscard]] double seconds(const Traffic& traffic, const Link& link) const;
    [[nodiscard]] std::string link_text(const Link& link) const;

    double replicas_;
    double backward_flops_;  // of backward, which the exchange of gradients can overlap
    std::string joining_;    // path of the first layer that sums over all replicas itself; empty: none
    std::vector<Traffic> all_;
    Traffic beside_backward_;
};

}  // namespace sluice::run
