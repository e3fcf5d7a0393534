#include "run/scaling_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "base/clock.hpp"
#include "base/program_name.hpp"

namespace sluice::run {
namespace {

constexpr int kTurns = 3;
constexpr double kLong = 2.0;  // seconds: of parts that take so long one turn is enough
constexpr double kGood = 0.8;  // of N times one replica

}  // namespace

ScalingReport::ScalingReport(const ReplicaGroup& replicas, const registry::Processes& processes, std::uint32_t world,
                             bool narrow_wire)
    : replicas_(replicas), processes_(processes), world_(world), narrow_wire_(narrow_wire) {}

// On the first so many replicas of the world; from when all processes have begun until all are done.
double ScalingReport::time(const data::Batch& batch, const StepPart& part, std::uint32_t replicas) const {
    const std::uint32_t before = processes_.number() * replicas_.size();
    const auto meet = [&] { static_cast<void>(processes_.gather<char>(0, "the first steps", kLongPatience)); };
    meet();
    const double start = now();
    replicas_.each(
        [&](Replica& replica, std::uint32_t number) {
            if (before + number < replicas) {
                StepPart own = part;
                own.is_common = replicas == world_;
                replica.compute_gradients(batch, own);
                replica.device().wait(replica.stream());
            }
        },
        kLongPatience);
    meet();
    const double seconds = now() - start;
    replicas_.each([](Replica& replica, std::uint32_t) { replica.abandon_step(); });
    return seconds;
}

void ScalingReport::measure(const data::Batch& batch, StepPart part) {
    part.is_last = false;  // gradients are not exchanged
    part.patience = kLongPatience;
    const double first = std::ranges::max(processes_.gather(time(batch, part, world_), "their time", kLongPatience));
    alone_ = std::numeric_limits<double>::infinity();
    together_ = alone_;
    for (int turn = 0; turn < (first > kLong ? 1 : kTurns); ++turn) {
        alone_ = std::min(alone_, time(batch, part, 1));
        together_ = std::min(together_, time(batch, part, world_));
    }
}

std::string ScalingReport::add_step(std::uint64_t parts, double seconds, double data_seconds, double patience) {
    if (together_ == 0.0 || steps_ > kSteps) {
        return {};
    }
    if (++steps_ > 1) {  // the first prepares what comes with the exchange
        parts_ += static_cast<double>(parts);
        seconds_ += seconds;
        waited_ += data_seconds;
        add_waits();
    }
    return steps_ > kSteps ? text(patience) : std::string();
}

// What GPUs wait for stays on them.
bool ScalingReport::waits_on_device() const { return !replicas_.first().device().is_host_memory(); }

void ScalingReport::add_waits() {
    std::vector<double>& step = waits_.emplace_back(replicas_.size());
    if (!waits_on_device()) {
        replicas_.each([&](Replica& replica, std::uint32_t number) { step[number] = replica.waited_for_others(); });
    }
}

ScalingReport::OwnWaits ScalingReport::own_waits() const {
    OwnWaits own;
    std::vector<double> sums(replicas_.size());
    for (std::size_t step = 0; step < waits_.size(); ++step) {
        own.least[step] = std::ranges::min(waits_[step]);
        std::ranges::transform(sums, waits_[step], sums.begin(), std::plus());
    }
    const auto [least, most] = std::ranges::minmax_element(sums);
    own.most_sum = *most;
    own.least_sum = *least;
    own.least_by = processes_.number() * replicas_.size() + static_cast<std::uint32_t>(least - sums.begin());
    return own;
}

ScalingReport::Waits ScalingReport::waits(double patience) const {
    const std::vector<OwnWaits> all = processes_.gather(own_waits(), "their waits", patience);
    Waits found{.last = std::ranges::min(all, {}, &OwnWaits::least_sum).least_by};
    for (std::size_t step = 0; step < kSteps; ++step) {
        found.for_exchange +=
            std::ranges::min(all, {}, [&](const OwnWaits& own) { return own.least[step]; }).least[step];
    }
    found.for_others = (std::ranges::max(all, {}, &OwnWaits::most_sum).most_sum - found.for_exchange) / parts_;
    found.for_exchange /= parts_;
    return found;
}

// `rest`: for which nothing else is to blame.
std::string ScalingReport::cure(double data, const Waits& waits, double rest) const {
    const double shared = together_ - alone_;
    if (data >= std::max({rest, shared, waits.for_others})) {
        return fmt::format("the input holds them up: {} names its slowest stage", typed("drain"));
    }
    if (waits.for_others >= std::max(rest, shared)) {
        return fmt::format(
            "replica {} is the slowest, and the others wait for it: it should have as much of a machine "
            "as they have",
            waits.last);
    }
    if (rest < shared) {
        return "they hold each other up, sharing cores or memory: fewer replicas with more cores each may be as fast";
    }
    const bool travels_far = processes_.count() > 1;
    const bool may_be_narrow = !narrow_wire_ && (travels_far || waits_on_device());
    return fmt::format("the {} them up: {}a larger data.batch or train.accumulate makes it rarer",
                       travels_far ? "network between the processes holds" : "exchange holds",
                       may_be_narrow ? "strategy.wire = \"bfloat16\" halves what travels, and " : "");
}

std::string ScalingReport::text(double patience) const {
    const Waits waits = this->waits(patience);
    const double step = seconds_ / parts_;
    const double data = waited_ / parts_;
    const double rest = std::max(step - data - together_ - waits.for_others, 0.0);
    const double gain = world_ * alone_ / step;
    const auto share = [&](double part) { return fmt::format("{:.1f} ({:.0f} %)", 1e3 * part, 100.0 * part / step); };
    std::string found = fmt::format(
        "replicas {}: {:.2f} times as fast as one of them ({:.0f} %): a batch takes {:.1f} ms, of which they compute "
        "{:.1f} ({:.1f} alone), wait for data {}, ",
        world_, gain, 100.0 * gain / world_, 1e3 * step, 1e3 * together_, 1e3 * alone_, share(data));
    found += waits_on_device() ? fmt::format("exchange and update {}", share(rest))
                               : fmt::format(
                                     "for each other {}, for the exchange behind backward {}; each has a share "
                                     "of the cores: how fast one on all of them is, --set strategy.use=single "
                                     "tells",
                                     share(waits.for_others), share(waits.for_exchange));
    return gain >= kGood * world_ ? found : fmt::format("{}; {}", found, cure(data, waits, rest));
}

}  // namespace sluice::run
