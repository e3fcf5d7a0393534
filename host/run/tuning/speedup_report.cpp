#include "run/tuning/speedup_report.hpp"

#include <algorithm>
#include <limits>

#include "base/clock.hpp"
#include "base/host_name.hpp"
#include "run/collective/exchange.hpp"
#include "run/collective/timeouts.hpp"

namespace sluice::run {
namespace {

constexpr int kMeasuredTurns = 3;
constexpr double kLong = 2.0;  // seconds; if a batch takes longer, one turn is enough

}  // namespace

SpeedupReport::SpeedupReport(const config::PipelineSpec& spec, const ReplicaGroup& replicas,
                             const registry::Processes& processes, std::uint32_t world)
    : spec_(spec), replicas_(replicas), processes_(processes), world_(world), times_(replicas.size()) {}

// Computes the batch on the first `replicas` ranks. Returns the seconds of the slowest process, without the time that
// the processes take to synchronize.
double SpeedupReport::time(const data::Batch& batch, const StepBatch& batch_in_step, std::uint32_t replicas) const {
    const std::uint32_t before = processes_.number() * replicas_.size();
    static_cast<void>(processes_.gather<char>(0, "the first steps", batch_in_step.timeout));
    const double start = now();
    replicas_.each(
        [&](Replica& replica, std::uint32_t number) {
            if (before + number < replicas) {
                StepBatch own = batch_in_step;
                own.is_common = replicas == world_;
                replica.training().compute_gradients(batch, own);
                replica.runner().wait();
            }
        },
        batch_in_step.timeout);
    const double seconds =
        std::ranges::max(processes_.gather(now() - start, "times of the first steps", batch_in_step.timeout));
    replicas_.each([](Replica& replica, std::uint32_t) { replica.training().abandon_step(); });
    return seconds;
}

void SpeedupReport::measure(const data::Batch& batch, StepBatch batch_in_step) {
    batch_in_step.is_last = false;  // gradients are not exchanged
    batch_in_step.timeout = kRareWorkTimeout;
    const double first = time(batch, batch_in_step, world_);
    if (spec_.sharing.deadline > 0.0) {  // later turns do not do more than the first
        batch_in_step.timeout = std::max(spec_.sharing.deadline, kTimeoutFactor * first);
    }
    measured_.alone = std::numeric_limits<double>::infinity();
    measured_.together = measured_.alone;
    for (int turn = 0; turn < (first > kLong ? 1 : kMeasuredTurns); ++turn) {
        measured_.alone = std::min(measured_.alone, time(batch, batch_in_step, 1));
        measured_.together = std::min(measured_.together, time(batch, batch_in_step, world_));
    }
}

std::string SpeedupReport::add_step(std::uint64_t batch_count, double seconds, double data_seconds, double timeout) {
    if (measured_.together == 0.0 || steps_ > kSharedSteps) {
        return {};
    }
    if (++steps_ == 1) {
        return {};  // the first step also prepares the exchange
    }
    const auto batches = static_cast<double>(batch_count);
    batches_ += batches;
    replicas_.each([&](Replica& replica, std::uint32_t number) {
        times_[number][steps_ - 2] = {.whole = seconds,
                                      .data = data_seconds,
                                      .compute = measured_.together * batches,
                                      .waited = replica.training().exchange()->waited()};
    });
    return steps_ > kSharedSteps ? text(timeout) : std::string();
}

ReplicaPlacement SpeedupReport::homes(double timeout) const {
    Replica& first = replicas_.first();
    return {.hosts = processes_.gather_texts(host_name(), "their hosts", timeout),
            .replicas = replicas_.size(),
            .are_on_cpu = first.runner().device()->is_host_memory(),
            .may_send_bfloat16 = could_send_bfloat16(spec_, first.network().weights().buckets(),
                                                     first.training().loss_scaler().scales())};
}

std::string SpeedupReport::text(double timeout) const {
    std::vector<ReplicaTimes> all(world_);
    for (std::uint32_t i = 0; i < replicas_.size(); ++i) {
        const std::vector<ReplicaTimes> of_processes = processes_.gather(times_[i], "times of their steps", timeout);
        for (std::size_t process = 0; process < of_processes.size(); ++process) {
            all[process * replicas_.size() + i] = of_processes[process];
        }
    }
    return SpeedupVerdict(homes(timeout), measured_, all, batches_).text();
}

}  // namespace sluice::run
