// Options of `plan` for devices that this machine need not have: --replicas, --device-memory, --bandwidth, --latency.
#pragma once

#include <boost/program_options.hpp>
#include <cstdint>
#include <optional>
#include <vector>

#include "run/collective/exchange_forecast.hpp"

namespace sluice::cli {

class ReplicaOptions {
public:
    // Adds the options, which write into this object: it must outlive them. A wrong value throws Error(Exit::config).
    void add_to(boost::program_options::options_description& options);
    // Throws Error(Exit::config) if the options do not belong together. `trains`: a training is planned.
    void check(bool trains) const;

    // Number of replicas; nothing: as many as the strategy has.
    [[nodiscard]] const std::optional<std::uint32_t>& replicas() const { return replicas_; }
    // Bytes of each device; nothing: the free memory of this machine's device.
    [[nodiscard]] const std::optional<std::uint64_t>& memory() const { return memory_; }
    // The link that --bandwidth describes, or the usual kinds of links.
    [[nodiscard]] std::vector<run::Link> links() const;

private:
    std::optional<std::uint32_t> replicas_;
    std::optional<std::uint64_t> memory_;
    std::optional<double> rate_;     // bytes a second
    std::optional<double> latency_;  // seconds
};

}  // namespace sluice::cli
