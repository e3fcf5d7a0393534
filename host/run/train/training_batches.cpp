#include "run/train/training_batches.hpp"

#include "profile/recorder.hpp"
#include "profile/stage_clock.hpp"

namespace sluice::run {

TrainingBatches::TrainingBatches(const config::PipelineSpec& spec, data::Loader& loader)
    : spec_(spec), loader_(loader), most_kept_(static_cast<std::size_t>(config::replayed_batches(spec))) {}

const data::Batch& TrainingBatches::next() {
    if (replays()) {
        return kept_[next_kept_++ % most_kept_];
    }
    const profile::StageScope stage(profile::Stage::read);
    const profile::Recording wait(SLUICE_SPAN_INPUT_WAIT, "batch");
    const data::Batch& batch = loader_.next();
    if (profile::StageClock* const clock = profile::loop_clock()) {
        clock->move(profile::Stage::preprocess, loader_.preprocess_share() * loader_.waited());
    }
    return most_kept_ > 0 ? kept_.emplace_back(batch) : batch;
}

bool TrainingBatches::are_ready(std::uint64_t steps) const {
    return replays() || loader_.ready() >= static_cast<std::uint64_t>(spec_.train.accumulate) * steps;
}

std::string TrainingBatches::digest() const { return most_kept_ > 0 ? "" : loader_.digest(); }

std::string_view TrainingBatches::awaited_stage(const profile::StageSeconds& step) const {
    constexpr double kLongWait = 0.1;  // share of a step
    return step.of_data() > kLongWait * step.total() ? loader_.slowest_stage() : std::string_view();
}

data::LoaderState TrainingBatches::loader_state_at(std::uint64_t batch) const {
    data::LoaderState state = loader_.state();
    if (state.digested > batch) {  // the digest has batches of a step that was not done
        state.digest_state.clear();
    }
    return state;
}

}  // namespace sluice::run
