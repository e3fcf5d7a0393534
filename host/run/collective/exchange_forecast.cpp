#include "run/collective/exchange_forecast.hpp"

#include <fmt/format.h>

#include <array>

#include "base/text/counted.hpp"
#include "base/text/rate_text.hpp"
#include "base/text/scaled_number.hpp"
#include "run/collective/exchange.hpp"
#include "run/collective/sharing.hpp"

namespace sluice::run {
namespace {

constexpr double kBackward = 2.0;  // FLOPs of backward over those of forward: gradients of inputs and of parameters

}  // namespace

std::span<const Link> usual_links() {
    static const std::array<Link, 3> all{
        {{"1 Gbit/s Ethernet", 125e6, 50e-6}, {"100 Gbit/s", 12.5e9, 5e-6}, {"NVLink, 450 GB/s", 450e9, 2e-6}}};
    return all;
}

ExchangeForecast::ExchangeForecast(const config::PipelineSpec& spec, const plan::Plan& plan, bool wants_norm,
                                   std::uint32_t replicas)
    : replicas_(replicas),
      backward_flops_(kBackward * plan::flops_total(plan.graph)),
      beside_backward_{"gradients", 0, 0, 0} {
    const plan::Buckets buckets(plan.layout.parameter_count, update_share(spec, replicas));
    const bool scatters = scatters_gradients(spec.sharing, buckets, wants_norm);
    const std::uint64_t wide = buckets.elements() * sizeof(float);
    const std::uint64_t element = spec.sharing.sends_bfloat16 ? sizeof(std::uint16_t) : sizeof(float);
    const Traffic& gradients =
        all_.emplace_back(Traffic{"gradients", scatters ? 1 : 2, buckets.elements() * element, buckets.all().size()});
    if (shard_count(spec, on_own_devices(replicas)) == replicas && replicas > 1) {
        beside_backward_ = gradients;
        beside_backward_.bytes -= buckets.all().back().count() * element;
        --beside_backward_.buckets;
    }
    if (const plan::Node* const joining = plan::joins_replicas(plan.graph)) {
        joining_ = joining->path;
    }
    if (buckets.are_shared()) {
        all_.push_back({"parameters", 1, wide, buckets.all().size()});
    }
    if (plan.layout.state_count > 0) {
        all_.push_back({"running statistics", 2, plan.layout.state_count * sizeof(float), 1});
    }
    all_.push_back({"losses", 2, 2 * sizeof(double), 1});
    if (scatters && wants_norm) {
        all_.push_back({"norm of the gradients", 2, sizeof(double), 1});
    }
}

double ExchangeForecast::bytes_sent() const {
    double sent = 0.0;
    for (const Traffic& traffic : all_) {
        sent += traffic.passes * (replicas_ - 1.0) / replicas_ * static_cast<double>(traffic.bytes);
    }
    return sent;
}

double ExchangeForecast::seconds(const Traffic& traffic, const Link& link) const {
    return traffic.passes * (replicas_ - 1.0) *
           (static_cast<double>(traffic.buckets) * link.latency +
            static_cast<double>(traffic.bytes) / replicas_ / link.rate);
}

double ExchangeForecast::seconds(const Link& link) const {
    double all = 0.0;
    for (const Traffic& traffic : all_) {
        all += seconds(traffic, link);
    }
    return all;
}

double ExchangeForecast::seconds_beside_backward(const Link& link) const { return seconds(beside_backward_, link); }

std::string ExchangeForecast::link_text(const Link& link) const {
    const double beside = seconds_beside_backward(link);
    std::string text =
        fmt::format("            {}, latency {}: {}", link.name, format_time(link.latency), format_time(seconds(link)));
    if (beside > 0.0 && backward_flops_ > 0.0) {
        text += fmt::format("; {} of it can overlap backward, if that runs at {}FLOP/s or less", format_time(beside),
                            metric_number(backward_flops_ / beside));
    }
    return text + "\n";
}

std::string ExchangeForecast::text(std::span<const Link> links) const {
    std::string text = fmt::format(
        "exchange    each of {0:.0f} replicas, one per device, sends {1} in a step. Around a ring that takes\n"
        "            passes x {2:.0f} x (buckets x latency + bytes / {0:.0f} / rate), buckets one after the other:\n",
        replicas_, byte_text(bytes_sent()), replicas_ - 1.0);
    for (const Traffic& traffic : all_) {
        text += fmt::format("            {:<22} {}, {} in {}\n", traffic.what, counted(traffic.passes, "pass"),
                            byte_text(static_cast<double>(traffic.bytes)), counted(traffic.buckets, "bucket"));
    }
    if (!joining_.empty()) {
        text += fmt::format("            without the sums within '{}' and other synchronized layers\n", joining_);
    }
    if (beside_backward_.buckets > 0 && backward_flops_ > 0.0) {
        text += fmt::format("            backward, taken as twice forward, has {}FLOP to overlap with gradients\n",
                            metric_number(backward_flops_));
    }
    for (const Link& link : links) {
        text += link_text(link);
    }
    return text;
}

}  // namespace sluice::run
