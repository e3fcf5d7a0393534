#include "cli/replica_options.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string>

#include "base/error.hpp"
#include "base/text/byte_size.hpp"
#include "base/text/rate_text.hpp"
#include "base/text/scaled_number.hpp"

namespace sluice::cli {
namespace {

constexpr std::uint32_t kMostReplicas = 1 << 20;
constexpr double kLatency = 10e-6;  // seconds; for a link of which only the bandwidth is given

// Parses the option into `value` once all options are stored. Throws Error(Exit::config) if it has no such value.
template <class T, class Parse>
boost::program_options::typed_value<std::string>* read_value(const std::string& name, std::optional<T>& value,
                                                             const std::string& needed, Parse parse) {
    return boost::program_options::value<std::string>()->notifier([=, &value](const std::string& text) {
        value = parse(text);
        if (!value) {
            throw Error(Exit::config, fmt::format("--{} is '{}'; {} is needed", name, text, needed));
        }
    });
}

std::optional<std::uint32_t> parse_count(const std::string& text) {
    std::uint32_t count = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, failure] = std::from_chars(text.data(), end, count);
    return failure == std::errc{} && rest == end && count >= 1 && count <= kMostReplicas ? std::optional(count)
                                                                                         : std::nullopt;
}

}  // namespace

void ReplicaOptions::add_to(boost::program_options::options_description& options) {
    options.add_options()(
        "replicas",
        read_value("replicas", replicas_, fmt::format("a number of devices from 1 to {}", kMostReplicas), parse_count)
            ->value_name("N"),
        "plan for N devices with one replica each: samples, memory and all-reduce of a replica");
    options.add_options()(
        "device-memory",
        read_value("device-memory", memory_, "a size like 80GB or 80 GiB", parse_size)->value_name("SIZE"),
        "memory of each device (80GB); default: free memory of this machine's device");
    options.add_options()(
        "bandwidth", read_value("bandwidth", rate_, "a rate like 25GB/s or 100 Gbit/s", parse_rate)->value_name("RATE"),
        "bandwidth between the devices of --replicas (25GB/s, 100Gbit/s)");
    options.add_options()("latency",
                          read_value("latency", latency_, "a time like 10us or 1.5 ms", parse_time)->value_name("TIME"),
                          "latency between the devices of --replicas (10us, the default with --bandwidth)");
}

void ReplicaOptions::check(bool trains) const {
    if (!replicas_ && (rate_ || latency_)) {
        throw Error(Exit::config, fmt::format("--{} applies between the devices of --replicas; give --replicas too",
                                              rate_ ? "bandwidth" : "latency"));
    }
    if (replicas_ && !trains) {
        throw Error(Exit::config, "--replicas: only training is shared by replicas; leave out --mode");
    }
}

std::vector<run::Link> ReplicaOptions::links() const {
    if (rate_) {
        return {{metric_number(*rate_) + "B/s", *rate_, latency_.value_or(kLatency)}};
    }
    std::vector<run::Link> links(run::usual_links().begin(), run::usual_links().end());
    for (run::Link& link : links) {
        link.latency = latency_.value_or(link.latency);
    }
    return links;
}

}  // namespace sluice::cli
