#include "run/train/training_batches.hpp"

#include <utility>

#include "profile/recorder.hpp"
#include "profile/stage_clock.hpp"

namespace sluice::run {

TrainingBatches::TrainingBatches(const config::PipelineSpec& spec, data::Loader& loader)
    : spec_(spec), loader_(loader) {}

const data::Batch& TrainingBatches::next() {
    if (only_batch_) {
        return *only_batch_;
    }
    const profile::StageScope stage(profile::Stage::read);
    const profile::Recording wait(SLUICE_SPAN_INPUT_WAIT, "batch");
    const data::Batch& batch = loader_.next();
    if (profile::StageClock* const clock = profile::loop_clock()) {
        clock->move(profile::Stage::preprocess, loader_.preprocess_share() * loader_.waited());
    }
    return spec_.train.overfit_one_batch ? only_batch_.emplace(batch) : batch;
}

bool TrainingBatches::are_ready(std::uint64_t steps) const {
    return only_batch_ || loader_.ready() >= static_cast<std::uint64_t>(spec_.train.accumulate) * steps;
}

std::string TrainingBatches::digest() const { return spec_.train.overfit_one_batch ? "" : loader_.digest(); }

data::LoaderState TrainingBatches::loader_state_at(std::uint64_t batch) const {
    data::LoaderState state = loader_.state();
    if (state.digested > batch) {  // the digest has batches of a step that was not done
        state.digest_state.clear();
    }
    return state;
}

}  // namespace sluice::run
