#include "run/scaling_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/clock.hpp"

namespace sluice::run {
namespace {

constexpr int kTurns = 3;
constexpr double kLong = 2.0;  // seconds: of parts that take so long one turn is enough
constexpr int kSteps = 10;
constexpr double kGood = 0.8;  // of N times one replica

}  // namespace

ScalingReport::ScalingReport(const ReplicaGroup& replicas, const registry::Processes& processes, std::uint32_t world)
    : replicas_(replicas), processes_(processes), world_(world) {}

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
    part.is_last = false;  // nothing is exchanged
    const double first = std::ranges::max(processes_.gather(time(batch, part, world_), "their time", kLongPatience));
    alone_ = std::numeric_limits<double>::infinity();
    together_ = alone_;
    for (int turn = 0; turn < (first > kLong ? 1 : kTurns); ++turn) {
        alone_ = std::min(alone_, time(batch, part, 1));
        together_ = std::min(together_, time(batch, part, world_));
    }
}

std::string ScalingReport::add_step(std::uint64_t parts, double seconds, double data_seconds) {
    if (together_ == 0.0 || steps_ > kSteps) {
        return {};
    }
    if (++steps_ > 1) {  // the first prepares what comes with the exchange
        parts_ += static_cast<double>(parts);
        seconds_ += seconds;
        waited_ += data_seconds;
    }
    return steps_ > kSteps ? text() : std::string();
}

std::string ScalingReport::text() const {
    const double step = seconds_ / parts_;
    const double data = waited_ / parts_;
    const double rest = std::max(step - data - together_, 0.0);
    const double gain = world_ * alone_ / step;
    std::string found = fmt::format(
        "replicas {}: {:.2f} times as fast as one of them ({:.0f} %): a batch takes {:.1f} ms, of which they "
        "compute {:.1f} ({:.1f} alone), wait for data {:.1f}, exchange and update {:.1f}",
        world_, gain, 100.0 * gain / world_, 1e3 * step, 1e3 * together_, 1e3 * alone_, 1e3 * data, 1e3 * rest);
    if (gain >= kGood * world_) {
        return found;
    }
    const double shared = together_ - alone_;
    const char* const cure =
        data >= rest && data >= shared ? "the input holds them up: `host drain` names its slowest stage"
        : rest >= shared && processes_.count() > 1
            ? "the network between the processes holds them up: strategy.wire = \"bfloat16\" halves what travels, and "
              "a larger data.batch or train.accumulate makes it rarer"
        : rest >= shared
            ? "the exchange holds them up: a larger data.batch or train.accumulate makes it rarer"
            : "they hold each other up, sharing cores or memory: fewer replicas with more cores each may be "
              "as fast";
    return fmt::format("{}; {}", found, cure);
}

}  // namespace sluice::run
