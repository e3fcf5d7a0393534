#include "run/tuning/speedup_verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/program_name.hpp"

namespace sluice::run {
namespace {

constexpr double kGood = 0.8;   // share of N times one replica's speed that needs no advice
constexpr double kAlone = 0.5;  // if one process holds all up, others wait less than this share of its wait for data

double sum_of(const ReplicaTimes& steps, double StepTimes::*part) {
    double sum = 0.0;
    for (const StepTimes& step : steps) {
        sum += step.*part;
    }
    return sum;
}

}  // namespace

SpeedupVerdict::SpeedupVerdict(ReplicaPlacement homes, const Measured& measured, const std::vector<ReplicaTimes>& times,
                               double batches)
    : homes_(std::move(homes)), measured_(measured), batches_(batches) {
    const std::vector<StepShares> shares = split_step_times(times);
    shares_ = *std::ranges::max_element(shares, {}, &StepShares::others);
    const auto waits = [](const ReplicaTimes& steps) {
        return sum_of(steps, &StepTimes::data) + sum_of(steps, &StepTimes::waited);
    };
    slowest_ = static_cast<std::size_t>(std::ranges::min_element(times, {}, waits) - times.begin());
    lag_ = shares_.others - shares[slowest_].others;
    for (std::size_t process = 0; process < homes_.hosts.size(); ++process) {
        waits_for_data_.push_back(sum_of(times[process * homes_.replicas], &StepTimes::data));
    }
}

// Seconds without another cause.
double SpeedupVerdict::rest() const { return shares_.whole - shares_.data - shares_.others - shares_.compute; }

// Replicas that share a machine take longer while others compute, and take turns at being the last.
double SpeedupVerdict::held_up_by_sharing() const {
    const double longer = (measured_.together - measured_.alone) * batches_ - lag_;
    return share_machines() ? longer + shares_.others - lag_ : 0.0;
}

bool SpeedupVerdict::are_on_several_hosts() const {
    return std::ranges::any_of(homes_.hosts, [&](const std::string& host) { return host != homes_.hosts.front(); });
}

bool SpeedupVerdict::share_machines() const {
    return homes_.replicas > 1 || std::ranges::any_of(homes_.hosts, [&](const std::string& host) {
               return std::ranges::count(homes_.hosts, host) > 1;
           });
}

// Returns the process whose input the others wait for. Returns nothing if there is one process, or if other processes
// wait for their samples too.
std::optional<std::size_t> SpeedupVerdict::process_without_input() const {
    const auto longest = std::ranges::max_element(waits_for_data_);
    const auto waits_long = [&](double wait) { return wait >= kAlone * *longest; };
    return waits_for_data_.size() > 1 && std::ranges::count_if(waits_for_data_, waits_long) == 1
               ? std::optional(static_cast<std::size_t>(longest - waits_for_data_.begin()))
               : std::nullopt;
}

std::string SpeedupVerdict::cure_of_input() const {
    const std::optional<std::size_t> process = process_without_input();
    if (!process) {
        return fmt::format("the input holds them up: {} names its slowest stage", typed("drain"));
    }
    return fmt::format(
        "the input of process {}{} holds them up, and the others wait for it: {} there names its slowest "
        "stage",
        *process, are_on_several_hosts() ? " on " + homes_.hosts[*process] : "", typed("drain"));
}

// Narrow gradients are only worth their rounding on a slow connection. Processes of one machine exchange them in
// memory.
std::string SpeedupVerdict::cure_of_exchange() const {
    const bool travels_long = !homes_.are_on_cpu || shares_.exchange >= rest() - shares_.exchange;
    const bool is_by_network = are_on_several_hosts() && travels_long;
    const bool may_send_bfloat16 = homes_.may_send_bfloat16 && (is_by_network || !homes_.are_on_cpu);
    return fmt::format("{} up: {}a larger data.batch or train.accumulate makes {} rarer",
                       is_by_network ? "the network between the processes holds them" : "exchange and update hold them",
                       may_send_bfloat16 ? "strategy.wire = \"bfloat16\" halves the traffic, and " : "",
                       is_by_network ? "exchanges" : "them");
}

std::string SpeedupVerdict::cure() const {
    const double sharing = held_up_by_sharing();
    if (shares_.data >= std::max({rest(), sharing, lag_})) {
        return cure_of_input();
    }
    if (lag_ >= std::max(rest(), sharing)) {
        return fmt::format(
            "replica {} is the slowest, and the others wait for it: give it as many cores and as fast a device as "
            "they have",
            slowest_);
    }
    if (rest() < sharing) {
        return "they hold each other up, sharing cores or memory: fewer replicas with more cores each may be as fast";
    }
    return cure_of_exchange();
}

std::string SpeedupVerdict::text() const {
    const double step = seconds(shares_.whole);
    const std::size_t world = homes_.hosts.size() * homes_.replicas;
    const auto count = static_cast<double>(world);
    const double gain = count * measured_.alone / step;
    // Rounded down, so that the sum is at most 100.
    const auto share = [&](double sum) {
        return fmt::format("{:.1f} ({:.0f} %)", 1e3 * seconds(sum), std::floor(100.0 * sum / shares_.whole));
    };
    std::string found = fmt::format(
        "replicas {}: {:.2f} times as fast as one of them ({:.0f} %): a batch takes {:.1f} ms, of which they compute "
        "{:.1f} ({:.1f} alone), wait for data {}, ",
        world, gain, 100.0 * gain / count, 1e3 * step, 1e3 * seconds(shares_.compute), 1e3 * measured_.alone,
        share(shares_.data));
    found += homes_.are_on_cpu ? fmt::format("for each other {}, for the exchange after backward {}",
                                             share(shares_.others), share(shares_.exchange))
                               : fmt::format("exchange and update {}", share(rest()));
    if (homes_.are_on_cpu && share_machines()) {
        found += "; each has a share of the cores: --set strategy.use=single shows how fast one on all of them is";
    }
    return gain >= kGood * count ? found : fmt::format("{}; {}", found, cure());
}

}  // namespace sluice::run
