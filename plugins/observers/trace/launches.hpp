// Pairs of host and device: which call of the host enqueued a span of a stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "profile/window.hpp"

namespace sluice::observers {

// One call of the CUDA runtime within a host span, as Kineto shows it.
struct RuntimeCall {
    std::int64_t begin_ns;
    std::int64_t duration_ns;
    std::uint32_t device_kind;  // kind of the span that it enqueues
    std::int64_t number;        // unique in the trace; from 1
};

class Launches {
public:
    explicit Launches(const Window& window);
    // The calls within host span `index`, in order.
    [[nodiscard]] const std::vector<RuntimeCall>& calls_of(std::size_t index) const;
    // Number of the call that enqueued span `index` of a stream. If the window has no such call, the number is unique.
    [[nodiscard]] std::int64_t number_of(std::size_t index) const { return numbers_.at(index); }
    // Later numbers belong to no launch.
    [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(numbers_.size()); }
    // Index of the host span that enqueued span `index` of a stream; the same index: not known.
    [[nodiscard]] std::size_t host_span_of(std::size_t index) const;

private:
    std::map<std::size_t, std::vector<RuntimeCall>> calls_;
    std::map<std::size_t, std::int64_t> numbers_;
    std::map<std::size_t, std::size_t> hosts_;
};

}  // namespace sluice::observers
