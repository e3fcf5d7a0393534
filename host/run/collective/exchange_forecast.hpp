// What replicas on devices of their own would exchange in a step, and how long that would take: reckoned from a plan,
// without any of them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/spec.hpp"
#include "plan/plan.hpp"

namespace sluice::run {

// From each device to the next.
struct Link {
    std::string name;
    double rate = 0.0;     // bytes a second
    double latency = 0.0;  // seconds before the first byte of a message
};

// Links that are common, each with the latency that is usual there.
std::span<const Link> usual_links();

class ExchangeForecast {
public:
    // `plan`: of one of so many replicas; `wants_norm`: of the gradients. The plan outlives it.
    ExchangeForecast(const config::PipelineSpec& spec, const plan::Plan& plan, bool wants_norm, std::uint32_t replicas);

    // By each replica, in a step.
    [[nodiscard]] double bytes_sent() const;
    [[nodiscard]] double seconds(const Link& link) const;
    // Of these, the ones that may pass while backward computes: of all gradients but those of the last bucket.
    [[nodiscard]] double seconds_beside_backward(const Link& link) const;
    // For people, with a line for each link.
    [[nodiscard]] std::string text(std::span<const Link> links) const;

private:
    // What all replicas bring to the ring.
    struct Traffic {
        std::string_view what;
        int passes;  // around the ring: 2 where all get sums of all, 1 where each gets its slice, or slices are
                     // gathered
        std::uint64_t bytes;
        std::uint64_t buckets;  // one after the other
    };

    [[nodiscard]] double seconds(const Traffic& traffic, const Link& link) const;
    [[nodiscard]] std::string link_text(const Link& link) const;

    double replicas_;
    double backward_flops_;  // of the part of a step that is exchanged as it is computed
    std::string joining_;    // the first layer that sums over all replicas by itself, if there is one
    std::vector<Traffic> all_;
    Traffic beside_backward_;
};

}  // namespace sluice::run
