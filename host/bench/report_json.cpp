#include <nlohmann/json.hpp>

#include "bench/report.hpp"

namespace sluice::bench {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Spread& spread) {
    return {{"median", spread.median},
            {"lower_quartile", spread.lower_quartile},
            {"upper_quartile", spread.upper_quartile},
            {"least", spread.least},
            {"most", spread.most}};
}

Json json_of(const Part& part) {
    return {{"direction", part.direction},
            {"path", part.path},
            {"types", part.types},
            {"shapes", part.shapes},
            {"kernel", part.kernel},
            {"note", part.note},
            {"seconds", json_of(part.seconds)},
            {"share", part.share},
            {"dtype", part.dtype},
            {"flops", part.flops},
            {"done_flops", part.done_flops},
            {"bytes", part.bytes},
            {"flops_per_second", part.flops / part.seconds.median},
            {"done_flops_per_second", part.done_flops / part.seconds.median},
            {"of_peak", part.share_of_peak()},
            {"algorithm_gain", gain_of(part.flops, part.done_flops)},
            {"bytes_per_second", part.bytes / part.seconds.median},
            {"limit_seconds", part.limit_seconds},
            {"of_limit", part.limit_seconds / part.seconds.median}};
}

Json limit_of(const Measurement& found) {
    Json rates = Json::object();
    for (const PeakRate& peak : found.peaks.all()) {
        rates[to_string(peak.operands)] = peak.rate;
    }
    Json sizes = Json::array();
    for (const Bandwidth& size : found.bandwidth) {
        Json& rates_of_size = sizes.emplace_back(Json{{"bytes", size.bytes}});
        for (const auto& [name, rate] : {std::pair{"read", size.read}, {"copy", size.copy}, {"triad", size.triad}}) {
            if (rate > 0.0) {  // was measured
                rates_of_size[name] = rate;
            }
        }
    }
    return {{"seconds", found.limit_seconds},
            {"of_limit", found.limit_seconds / found.step.median},
            {"sum_seconds", found.limit_sum_seconds},
            {"of_limit_sum", found.limit_sum_seconds / found.step.median},
            {"flops_per_second", rates},
            {"bytes_per_second", sizes}};
}

// Leaves out unknown figures.
Json json_of(const Usage& usage) {
    Json json = {{"answers", usage.answers}, {"limit", usage.limit}};
    for (const auto& [name, value] : {std::pair("busy_share", usage.busy_share),
                                      {"power_watts", usage.power_watts},
                                      {"clock_hertz", usage.clock_hertz},
                                      {"celsius", usage.celsius},
                                      {"used_bytes", usage.used_bytes}}) {
        if (value >= 0.0) {
            json[name] = value;
        }
    }
    return json;
}

}  // namespace

std::string to_json(const Measurement& found) {
    Json parts = Json::array();
    for (const Part& part : found.parts) {
        parts.push_back(json_of(part));
    }
    Json json = {{"pipeline", found.pipeline},
                 {"device", found.device},
                 {"threads", found.threads},
                 {"batch", found.batch},
                 {"parameters", found.parameters},
                 {"steps", found.steps},
                 {"step_seconds", json_of(found.step)},
                 {"timed_step_seconds", json_of(found.timed_step)},
                 {"samples_per_second", static_cast<double>(found.batch) / found.step.median},
                 {"limit", limit_of(found)},
                 {"flops", found.flops},
                 {"done_flops", found.done_flops},
                 {"of_peak", found.peak_seconds / found.step.median},
                 {"algorithm_gain", gain_of(found.flops, found.done_flops)},
                 {"outside_convolutions", found.outside_convolutions},
                 {"start_up_seconds", found.start_up_seconds},
                 {"memory",
                  {{"resident_before", found.resident_before},
                   {"resident_peak", found.resident_peak},
                   {"predicted_arena", found.predicted_arena},
                   {"predicted_weights", found.predicted_weights}}},
                 {"parts", parts}};
    if (found.device_peak > 0) {
        json["memory"]["device_peak"] = found.device_peak;
        json["memory"]["device_taken"] = found.device_taken;
    }
    if (found.usage) {
        json["usage"] = json_of(*found.usage);
    }
    return json.dump(2) + "\n";
}

}  // namespace sluice::bench
