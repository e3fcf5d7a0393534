#include "run/train/first_steps.hpp"

#include <string>

#include "base/log.hpp"

namespace sluice::run {

FirstSteps::FirstSteps(const config::PipelineSpec& spec, const ReplicaGroup& replicas,
                       const registry::Processes& processes, std::uint32_t world)
    : spec_(spec), buckets_(spec, replicas, processes, world), speedup_(spec, replicas, processes, world) {}

bool FirstSteps::measures(const data::Batch& batch) const {
    return speedup_.wants_batch() && batch.count == spec_.data.batch;
}

void FirstSteps::add_batch(const data::Batch& batch, const StepBatch& batch_in_step) {
    if (measures(batch)) {
        speedup_.measure(batch, batch_in_step);
    }
}

void FirstSteps::add_step(const StepInFlight& step, const profile::StageSeconds& seconds, double timeout) {
    const auto whole_step = static_cast<std::uint64_t>(spec_.data.batch * spec_.train.accumulate);
    std::string news;
    if (buckets_.is_done()) {
        news = speedup_.add_step(step.batch_count, seconds.total(), seconds.of_data(), timeout);
    } else if (step.samples == whole_step) {
        news = buckets_.add_step(seconds.total() - seconds.of_data(), timeout);
    }
    if (!news.empty()) {
        log::info(news);
    }
}

}  // namespace sluice::run
