// What `plan` is asked about devices that need not be there: --replicas and what belongs to it.
#pragma once

#include <boost/program_options.hpp>
#include <cstdint>
#include <optional>
#include <vector>

#include "run/collective/exchange_forecast.hpp"

namespace sluice::cli {

class ReplicaQuestion {
public:
    // It outlives the options, whose values it takes; they throw Error(Exit::config) where they are wrong.
    void add_to(boost::program_options::options_description& options);
    // Throws Error(Exit::config) where they do not belong together; `trains`: whether a training is planned.
    void check(bool trains) const;

    // Nothing: those that the strategy has.
    [[nodiscard]] const std::optional<std::uint32_t>& replicas() const { return replicas_; }
    // Bytes of each device; nothing: those of the device that is there.
    [[nodiscard]] const std::optional<std::uint64_t>& memory() const { return memory_; }
    // That was asked about, or the usual ones.
    [[nodiscard]] std::vector<run::Link> links() const;

private:
    std::optional<std::uint32_t> replicas_;
    std::optional<std::uint64_t> memory_;
    std::optional<double> rate_;     // bytes a second
    std::optional<double> latency_;  // seconds
};

}  // namespace sluice::cli
