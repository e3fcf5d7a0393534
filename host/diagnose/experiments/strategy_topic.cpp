// Measures what several replicas cost each other: the exchange of gradients, the slowest of them, and shared cores.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "diagnose/experiments/topic.hpp"

namespace sluice::diagnose {
namespace {

constexpr const char* kNoExchange = "no exchange";
constexpr const char* kOneReplica = "one replica";
constexpr const char* kNarrowWire = "bfloat16 on the wire";
constexpr const char* kBucket = "automatic bucket";
constexpr double kErrors = 3.0;        // standard errors from which a lag is no chance
constexpr double kBucketSteps = 24.0;  // until the automatic bucket has found its size

// Named in messages: "2 processes" or "4 replicas".
std::string all_replicas(const Facts& facts) {
    return facts.processes.empty() ? fmt::format("{} replicas", facts.replicas)
                                   : fmt::format("{} processes", facts.processes.size());
}

// True if layers normalise by the samples of one replica, so that fewer replicas train something else.
bool has_statistics_of_a_replica(const config::PipelineSpec& spec) {
    bool has_own = false;
    config::visit_layers(spec.model.layers, [&](const config::LayerSpec& layer) {
        const Value* const together = layer.options.find("synchronized");
        const bool* const is_together = together != nullptr ? together->as_bool() : nullptr;
        has_own = has_own || (layer.type == "batch_norm" && (is_together == nullptr || !*is_together));
    });
    return has_own;
}

double mean_of_others(const Facts& facts, const ProcessTimes& slowest, double ProcessTimes::*seconds) {
    double sum = 0.0;
    for (const ProcessTimes& process : facts.processes) {
        sum += process.rank != slowest.rank ? process.*seconds : 0.0;
    }
    return sum / static_cast<double>(std::max<std::size_t>(facts.processes.size(), 2) - 1);
}

// Threads of more replicas than cores wait for each other's cores.
bool shares_cores(const Facts& facts) { return facts.is_host_device && facts.replicas > facts.cores; }

bool is_one_slow(const Facts& facts) {
    return !shares_cores(facts) && facts.processes.size() > 1 && facts.lag >= kWorthwhile &&
           facts.lag > kErrors * facts.lag_error;
}

// More replicas cost more than they gain, as this variant without them, or without their exchange, shows.
Finding costly_replicas(const Evidence& evidence, const char* probe) {
    const Facts& facts = evidence.facts;
    const Ratio& without = *evidence.ratio_of(probe);
    return {.cause = shares_cores(facts) ? "too many threads" : "replicas",
            .subject = "",
            .sentence = shares_cores(facts)
                            ? fmt::format("{} compute on {} cores, and take them from each other", all_replicas(facts),
                                          facts.cores)
                            : fmt::format("{} together are slower than one replica", all_replicas(facts)),
            .evidence = fmt::format("with '{}' a sample takes {:.2f} times as long", probe, without.value),
            .without = without,
            .probe = probe};
}

void explain_lag(const Evidence& evidence, std::vector<Finding>& findings) {
    constexpr double kNormal = 1.96;     // standard errors of an interval of 95 %
    constexpr std::size_t kGroups = 10;  // the standard error is that of so many blocks of steps
    const Facts& facts = evidence.facts;
    if (!is_one_slow(facts)) {
        return;
    }
    const ProcessTimes& slowest = *slowest_process(facts);
    const double more = slowest.own - mean_of_others(facts, slowest, &ProcessTimes::own);
    const double more_input = slowest.input - mean_of_others(facts, slowest, &ProcessTimes::input);
    const bool is_input = more_input > 0.5 * more;
    findings.push_back(
        {.cause = "slow replica",
         .subject = fmt::format("rank {}", slowest.rank),
         .sentence = fmt::format("process {} takes {:.0f} ms longer for a step than the others, which wait for it",
                                 slowest.rank, 1e3 * more),
         .evidence = fmt::format("it needs {:.0f} ms a step, the others {:.0f} ms on average; {}", 1e3 * slowest.own,
                                 1e3 * mean_of_others(facts, slowest, &ProcessTimes::own),
                                 is_input ? fmt::format("it waits {:.0f} ms more for its input", 1e3 * more_input)
                                          : "its input takes no longer, so its cores or its device are slower"),
         .without = {.value = 1.0 - facts.lag,
                     .low = 1.0 - facts.lag - kNormal * facts.lag_error,
                     .high = 1.0 - facts.lag + kNormal * facts.lag_error,
                     .rounds = kGroups}});
}

}  // namespace

void propose_strategy(const Evidence& evidence, Proposals& proposals) {
    const Facts& facts = evidence.facts;
    if (facts.replicas <= 1) {
        proposals.skipped.push_back({"strategy", "there is one replica"});
        return;
    }
    proposals.wanted.push_back(
        {.name = kNoExchange, .what = "gradients are not exchanged", .sets = {"what_if.skip_exchange=true"}});
    proposals.wanted.push_back({.name = kOneReplica,
                                .what = "one replica trains alone",
                                .sets = {"strategy.use=\"single\""},
                                .change = has_statistics_of_a_replica(evidence.spec) ? ChangeClass::other_results
                                                                                     : ChangeClass::same_mathematics,
                                .cost = "uses one device",
                                .is_alone = true});
    if (!is_gain(evidence.ratio_of(kNoExchange), kWorthwhile)) {
        proposals.skipped.push_back({"exchange", "without it, a step takes about as long"});
        return;
    }
    const config::SharingSpec& sharing = evidence.spec.sharing;
    const bool has_fixed_sums = evidence.spec.deterministic && sharing.micro_shards > 0;
    const bool has_wire = !facts.processes.empty() || !facts.is_host_device;
    if (has_wire && !sharing.sends_bfloat16 && !has_fixed_sums) {
        proposals.wanted.push_back({.name = kNarrowWire,
                                    .what = "gradients travel as bfloat16",
                                    .sets = {"strategy.wire=\"bfloat16\""},
                                    .change = ChangeClass::other_results,
                                    .cost = "gradients are rounded; check the scores"});
    }
    if (sharing.bucket) {
        proposals.wanted.push_back({.name = kBucket,
                                    .what = "the bucket size is chosen by measuring",
                                    .sets = {"strategy.bucket=\"auto\""},
                                    .change = ChangeClass::same_mathematics,
                                    .warm_samples = kBucketSteps * facts.samples});
    }
}

void explain_strategy(const Evidence& evidence, std::vector<Finding>& findings) {
    const Facts& facts = evidence.facts;
    explain_lag(evidence, findings);
    std::optional<Fix> alone = fix_of(evidence, kOneReplica, kWorthwhile);
    const Ratio* const exchange = evidence.ratio_of(kNoExchange);
    const bool waits = is_gain(exchange, kWorthwhile);
    if (!waits && !alone) {
        return;
    }
    Finding finding;
    if (waits && !shares_cores(facts)) {
        finding = {.cause = "exchange",
                   .subject = "",
                   .sentence = fmt::format("{} wait for the exchange of their gradients", all_replicas(facts)),
                   .evidence = fmt::format("without it a sample takes {:.2f} times as long", exchange->value),
                   .without = *exchange,
                   .probe = kNoExchange};
        for (auto& fix : {fix_of(evidence, kNarrowWire, kWorthwhile), fix_of(evidence, kBucket, kWorthwhile)}) {
            if (fix) {
                finding.fixes.push_back(*fix);
            }
        }
    } else {
        finding = costly_replicas(evidence, alone ? kOneReplica : kNoExchange);
    }
    if (alone) {
        finding.fixes.push_back(std::move(*alone));
    }
    findings.push_back(std::move(finding));
}

}  // namespace sluice::diagnose
